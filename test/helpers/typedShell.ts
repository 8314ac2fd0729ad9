import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** Prompt of the shell. */
export const PROMPT = 'ready>';

/**
 * Types keys into an interactive program on a terminal of its own, once it shows a prompt, and gives what was shown. The
 * program has to end by what is typed.
 */
export async function typedShell(
  command: string,
  { keys, cwd, prompt = PROMPT }: { readonly keys: string; readonly cwd: string; readonly prompt?: string },
): Promise<string> {
  const child = spawn('script', ['-qefc', `stty cols 200; exec ${command}`, '/dev/null'], {
    cwd,
    env: { ...process.env, TERM: 'xterm', HOME: cwd, ZDOTDIR: cwd },
  });
  let shown = '';
  child.stdout.on('data', data => {
    const isFirst = !shown.includes(prompt);
    shown += data;
    if (isFirst && shown.includes(prompt)) child.stdin.write(keys);
  });
  const given = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
  await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearTimeout(given);
  return stripVTControlCharacters(shown).replaceAll('\r', '');
}

/** Generous: what it does takes a second. */
const GIVE_UP_MS = 60_000;
