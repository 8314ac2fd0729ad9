import { damaged } from './parts.ts';

/** Bytes of the longest line: a row without its texts and media is far shorter. */
const MAX_LINE_BYTES = 16 * 2 ** 20;

const LINE_FEED = 0x0a;

/**
 * Yields the lines of a part, decoded from UTF-8. Only a line feed ends one: JSON may contain the others.
 *
 * @throws RxscribeError `unreadable-input` for a line that is too long, not UTF-8, or the last one without its end
 */
export async function* linesOf(path: string, contents: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  const at = () => `'${path}', line ${number},`;
  const add = (piece: Uint8Array) => {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_LINE_BYTES) throw damaged(`${at()} has more than ${MAX_LINE_BYTES} bytes`);
  };
  for await (const chunk of contents) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end < 0) break;
      add(chunk.subarray(start, end));
      yield decoded(Buffer.concat(pieces), at);
      pieces = [];
      length = 0;
      number++;
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) throw damaged(`${at()} has no end`);
}

function decoded(bytes: Uint8Array, at: () => string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw damaged(`${at()} is not UTF-8`, cause);
  }
}
