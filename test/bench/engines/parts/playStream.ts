import { setTimeout } from 'node:timers/promises';
import type { RecognizerResult, RecognizerSession } from '../../../../src/engines/recognizer.ts';

const SAMPLE_RATE = 16_000;

/** A result with its time of arrival, in seconds on the clock of the stream: audio second 0 is at 0. */
export interface Arrival {
  readonly result: RecognizerResult;
  readonly seconds: number;
}

export interface PlayOptions {
  /** Default 320, 20 ms: less than a recogniser's step. */
  readonly pieceFrames?: number;
  /** Called after each piece with the delay of the session's acceptance, in seconds. */
  readonly onTaken?: (lateSeconds: number) => void;
}

/** Feeds a session in real time, each piece at its end, and closes it. */
export async function playStream(
  session: RecognizerSession,
  samples: Int16Array,
  { pieceFrames = 320, onTaken = () => {} }: PlayOptions = {},
): Promise<readonly Arrival[]> {
  const arrivals: Arrival[] = [];
  const begun = performance.now();
  const now = () => (performance.now() - begun) / 1000;
  session.results$.subscribe({
    next: result => void arrivals.push({ result, seconds: now() }),
    // `finish()` and `write()` reject with the same error.
    error: () => {},
  });
  for (let at = 0; at < samples.length; at += pieceFrames) {
    const piece = samples.subarray(at, at + pieceFrames);
    const due = (at + piece.length) / SAMPLE_RATE;
    await setTimeout(Math.max(0, 1000 * (due - now())));
    await session.write(piece);
    onTaken(now() - due);
  }
  await session.finish();
  await session.close();
  return arrivals;
}
