import { ProblemError } from '../problems.ts';

/** More than a transcript of 16 MiB can have; a full vocabulary has 300,000. */
const MAX_MARKS = 3_000_000;
/** More than any schema has, many times over; objects of many names take V8 microseconds for each. */
const MAX_NAMES = 1000;

const [QUOTE, BACKSLASH, COMMA, COLON, LIST, OBJECT] = Buffer.from('"\\,:[{') as unknown as readonly number[];

/**
 * Refuses JSON that is not long but takes long, and much memory, to parse: its commas, colons and opening brackets are
 * counted, and its different names.
 *
 * @throws ProblemError `payloadTooLarge`
 */
export function refuseCrowded(json: Uint8Array): void {
  const names = new Set<number>();
  let marks = 0;
  let isText = false;
  /** The hash of the last text. */
  let hash = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
      else hash = (Math.imul(hash, 31) + byte) | 0;
    } else if (byte === QUOTE) {
      isText = true;
      hash = 0;
    } else if (byte === COMMA || byte === COLON || byte === LIST || byte === OBJECT) {
      marks++;
      if (byte === COLON) names.add(hash);
      if (marks > MAX_MARKS || names.size > MAX_NAMES) {
        throw new ProblemError('payloadTooLarge', { detail: 'JSON has too many values or names of fields' });
      }
    }
  }
}
