import { closeSync, fstatSync, readSync } from 'node:fs';
import { openUnnamedFile } from './unnamedFile.ts';

/**
 * A file without a name that another process logs to.
 *
 * Not a pipe: the library writes its log in a thousand small pieces, and those that a pipe has no room for get lost.
 */
export interface LogFile {
  readonly descriptor: number;
  /** The last bytes, as text; gives the file back. */
  take(maxBytes: number): string;
}

export function createLogFile(): LogFile {
  const descriptor = openUnnamedFile();
  return {
    descriptor,
    take(maxBytes) {
      try {
        const { size } = fstatSync(descriptor);
        const tail = Buffer.alloc(Math.min(size, maxBytes));
        readSync(descriptor, tail, 0, tail.length, size - tail.length);
        return tail.toString('utf8').trim();
      } finally {
        closeSync(descriptor);
      }
    },
  };
}
