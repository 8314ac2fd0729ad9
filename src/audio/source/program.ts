import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { RxscribeError } from '../../base/errors.ts';

/** The path of a program as the shell would find it, or undefined. */
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

/** The error of a program that is not installed. */
export function programMissing(action: string, program: string, cause?: unknown): RxscribeError {
  const message = `${action}: wanted ${program} on the PATH, found none; "rxscribe doctor --fix" installs it or says how`;
  return new RxscribeError('program-missing', message, { cause });
}

/** How a child process ended. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines that it wrote to stderr, joined by "; ". */
  readonly complaint: string;
  /** Why it could not be started. */
  readonly error?: Error;
}

/** What is kept of a child's last words. */
const COMPLAINT_LIMIT = { characters: 2000, lines: 4 } as const;

/**
 * Reads the stderr of a child for as long as it lives, so that it never blocks there, and tells how it ended: when it
 * has exited and its output has been read or destroyed. Never rejects.
 */
export function watchChild(child: ChildProcess): Promise<ChildEnd> {
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_LIMIT.characters);
  });
  // A broken pipe says less than the exit that it comes with.
  for (const stream of child.stdio) stream?.on('error', () => {});
  return new Promise(resolve => {
    child.on('error', error => {
      if (child.pid === undefined) resolve({ code: null, signal: null, complaint: '', error });
    });
    child.on('close', (code, signal) => resolve({ code, signal, complaint: tidy(complaint) }));
  });
}

/** One line, without colours and without ffmpeg's addresses in memory. */
function tidy(text: string): string {
  const lines = stripVTControlCharacters(text).split(/[\r\n]+/);
  return lines
    .map(line => line.replaceAll(/ @ 0x[0-9a-f]+/g, '').trim())
    .filter(line => line !== '')
    .slice(-COMPLAINT_LIMIT.lines)
    .join('; ');
}
