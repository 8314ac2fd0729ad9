import { createReadStream } from 'node:fs';
import { reasonOf } from '../../../base/errors.ts';
import { CassetteError, type CassettePlace } from '../cassetteError.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';

/** A line of a file, without its line feed. */
export interface FileLine {
  /** Line number from 1. */
  readonly number: number;
  readonly text: string;
  /** Offset in the file, in bytes. */
  readonly offset: number;
  readonly bytes: number;
  /** False for the last line of a file without a final line feed. */
  readonly isEnded: boolean;
}

const READ_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/**
 * Reads the lines of a UTF-8 file, with one line at a time in memory. Blank lines are skipped.
 *
 * @throws CassetteError for a file that cannot be read, a line that is too long or not UTF-8
 * @throws the signal's reason
 */
export async function* fileLines(
  place: Omit<CassettePlace, 'line'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<FileLine> {
  signal?.throwIfAborted();
  try {
    yield* textLines(place, createReadStream(place.path, { highWaterMark: READ_BYTES, signal }));
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof CassetteError) throw cause;
    throw new CassetteError(place, reasonOf(cause), { cause });
  }
}

async function* textLines(
  place: Omit<CassettePlace, 'line'>,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<FileLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pieces: Uint8Array[] = [];
  let number = 1;
  let offset = 0;
  let length = 0;

  function take(isEnded: boolean): FileLine | undefined {
    const line = Buffer.concat(pieces, length);
    pieces = [];
    const text = decode(line, isEnded);
    return text.trim() === '' ? undefined : { number, text, offset, bytes: length, isEnded };
  }
  function decode(line: Uint8Array, isEnded: boolean): string {
    try {
      return decoder.decode(line);
    } catch (cause) {
      // A file may be cut off within a character.
      if (!isEnded) return '';
      throw new CassetteError({ ...place, line: number }, 'expected UTF-8, found other bytes', { cause });
    }
  }
  function add(piece: Uint8Array): void {
    pieces.push(piece);
    length += piece.length;
    if (length <= CASSETTE_LIMITS.lineBytes) return;
    const fault = `expected a line of at most ${CASSETTE_LIMITS.lineBytes} bytes, found a longer one`;
    throw new CassetteError({ ...place, line: number }, fault);
  }

  for await (const chunk of bytes) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, at));
      const line = take(true);
      if (line) yield line;
      number++;
      offset += length + 1;
      length = 0;
      from = at + 1;
    }
    // The rest is copied, because a reader may reuse the memory of its chunk.
    if (from < chunk.length) add(chunk.slice(from));
  }
  const rest = take(false);
  if (rest) yield rest;
}
