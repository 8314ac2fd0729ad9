import { type ChildProcess, execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { RxscribeError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';

/** Returns the path of a program, found on the PATH as a shell does, or undefined. */
export function findProgram(name: string): string | undefined {
  const names = process.platform === 'win32' ? [`${name}.exe`] : [name];
  const directories = (process.env.PATH ?? '').split(delimiter).filter(directory => directory !== '');
  return directories.flatMap(directory => names.map(file => join(directory, file))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Returns the error for a program that is not installed.
 *
 * @param action a verb phrase, such as `decode audio`
 * @param options.remedy a sentence on what else helps
 */
export function programMissing(
  action: string,
  program: string,
  { cause, remedy }: { readonly cause?: unknown; readonly remedy?: string } = {},
): RxscribeError {
  const install = `Run \`rxscribe doctor --fix\` to install it.`;
  const message = `Cannot ${action}: ${program} is not on the PATH. ${remedy ? `${install} ${remedy}` : install}`;
  return new RxscribeError('program-missing', message, { cause });
}

/** Limits of a program that lists devices: a sound server that hangs must not hang its caller. */
const LIST_LIMITS = { timeout: 5000, maxBuffer: 4 * 1024 * 1024 } as const;

/** Options of a program that answers in English. */
export const english = () => ({ env: { ...process.env, LC_ALL: 'C.UTF-8' } });

/** Runs a program of short output, in English. Resolves with its output, and rejects when it fails or takes more than 5 s. */
export async function outputOf(program: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(program, args, { ...LIST_LIMITS, ...english() })).stdout;
}

/** The end of a child process. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines of its stderr, joined by "; ". */
  readonly stderrTail: string;
  /** Set when it could not be started. */
  readonly error?: Error;
}

/** Limits of the stderr of a child that is reported. */
const STDERR_LIMIT = { characters: 2000, lines: 4 } as const;

/**
 * Drains the stderr of a child, so that it never blocks there. Resolves when the child has exited and its output has been read
 * or destroyed. Never rejects.
 */
export function watchChild(child: ChildProcess): Promise<ChildEnd> {
  let stderr = '';
  const { promise, resolve } = Promise.withResolvers<ChildEnd>();
  child.on('error', error => {
    if (child.pid === undefined) resolve({ code: null, signal: null, stderrTail: '', error });
  });
  child.on('close', (code, signal) => resolve({ code, signal, stderrTail: tidy(stderr) }));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_LIMIT.characters);
  });
  // The exit code is the reason; a broken pipe only follows from it. Without file descriptors there are no streams at all.
  for (const stream of child.stdio ?? []) stream?.on('error', () => {});
  return promise;
}

/** A line of the table that arecord prints below some errors: `PERIOD_TIME: 125000`. */
const HARDWARE_PARAMETER = /^[A-Z_]+: +\S+$|^[A-Z_]+: \[\S+ \S+\]$/;

/** Returns the last lines of a text as one, without control characters and the memory addresses that ffmpeg prints. */
function tidy(text: string): string {
  const lines = stripVTControlCharacters(text).split(/[\r\n]+/);
  return lines
    .map(line =>
      oneLine(line)
        .replaceAll(/ @ 0x[0-9a-f]+/g, '')
        .trim(),
    )
    .filter(line => line !== '' && !HARDWARE_PARAMETER.test(line))
    .slice(-STDERR_LIMIT.lines)
    .join('; ');
}
