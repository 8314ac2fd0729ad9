import { CassetteError, type CassettePlace } from '../cassetteError.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';

/** A line of a file, without its end. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Where it is in the file, in bytes. */
  readonly offset: number;
  readonly bytes: number;
  /** False for the last one of a file that breaks off within it. */
  readonly isEnded: boolean;
}

const LINE_FEED = 0x0a;

/**
 * The lines of a file in UTF-8, of which one at a time is in memory. Blank ones are passed over.
 *
 * @throws CassetteError for a line that is too long, or no text
 */
export async function* textLines(
  place: Omit<CassettePlace, 'line'>,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<FileLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pieces: Uint8Array[] = [];
  let number = 1;
  let offset = 0;
  let length = 0;

  function take(isEnded: boolean): FileLine | undefined {
    const line = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length);
    pieces = [];
    const text = decode(line, isEnded);
    return text.trim() === '' ? undefined : { number, text, offset, bytes: length, isEnded };
  }
  function decode(line: Uint8Array, isEnded: boolean): string {
    try {
      return decoder.decode(line);
    } catch (cause) {
      // A file that breaks off may do so within a character.
      if (!isEnded) return '';
      throw new CassetteError({ ...place, line: number }, 'wanted UTF-8, found other bytes', { cause });
    }
  }
  function add(piece: Uint8Array): void {
    pieces.push(piece);
    length += piece.length;
    if (length <= CASSETTE_LIMITS.lineBytes) return;
    const fault = `wanted a line of at most ${CASSETTE_LIMITS.lineBytes} bytes, found a longer one`;
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
    // Of what goes on in the next chunk a copy: a reader may use its memory again.
    if (from < chunk.length) add(chunk.slice(from));
  }
  const rest = take(false);
  if (rest) yield rest;
}
