import { setImmediate } from 'node:timers/promises';
import { ProblemError } from '../problems.ts';

/** Above the marks of a transcript of 16 MiB; a full vocabulary has 300,000. */
const MAX_MARKS = 3_000_000;
/** Far above the names of any schema; V8 needs microseconds for each name of an object with many. */
const MAX_NAMES = 1000;
/** Bytes that are read in some milliseconds. */
const SLICE_BYTES = 2 ** 20;

const [QUOTE, BACKSLASH, COMMA, COLON, LIST, OBJECT] = Buffer.from('"\\,:[{') as unknown as readonly number[];

/**
 * Refuses JSON that is short but slow, and large in memory, when parsed: limits its number of commas, colons and opening
 * brackets, and of different names. Other work runs after each {@link SLICE_BYTES}.
 *
 * @throws ProblemError `payloadTooLarge`
 */
export async function refuseComplexJson(json: Uint8Array): Promise<void> {
  const names = new Set<number>();
  let marks = 0;
  let isText = false;
  /** Hash of the latest string. */
  let hash = 0;
  let nextSlice = SLICE_BYTES;
  for (let at = 0; at < json.length; at++) {
    if (at >= nextSlice) {
      nextSlice += SLICE_BYTES;
      await setImmediate();
    }
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
        throw new ProblemError('payloadTooLarge', { detail: 'The JSON has too many values or field names.' });
      }
    }
  }
}
