import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { shellWord } from '../../src/base/text.ts';
import { sourceCommand } from './commandLine.ts';

export interface OnTerminalOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Default 200. */
  readonly columns?: number;
  /** Default 40. */
  readonly rows?: number;
  /** Called while the command runs, with its output so far; afterwards Ctrl-C is typed. */
  readonly act?: (output: () => string) => Promise<unknown>;
}

/** Runs a command line on a pseudo-terminal, to its end. Resolves with everything that was written to the terminal. */
export async function onTerminal(
  args: readonly string[],
  { env = {}, columns = 200, rows = 40, act }: OnTerminalOptions = {},
): Promise<string> {
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...inherited } = process.env;
  const program = sourceCommand(args).map(shellWord).join(' ');
  const command = `stty cols ${columns} rows ${rows} && exec ${program}`;
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...inherited, TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void terminal.kill());
  const closed = once(terminal, 'close');
  let output = '';
  terminal.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  if (act) {
    await act(() => output);
    terminal.stdin.write('\u0003');
  }
  await closed;
  return output;
}
