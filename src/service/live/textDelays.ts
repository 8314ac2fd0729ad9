import type { Clock } from '../../base/clock.ts';
import type { RecognizerResult } from '../../engines/recognizer.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';

/** The delay from speech to its text. */
export type TextDelays = ReturnType<typeof createTextDelays>;

/** Audio that arrived at once. */
interface Arrival {
  readonly endFrame: number;
  readonly atMs: number;
}

/** Seconds of audio before a word that decide whether it came in real time. */
const SPAN_SECONDS = 3;
/** Seconds of audio for which arrivals are kept: longer than the longest segment, which ends with a final. */
const KEPT_SECONDS = 60;
/** Seconds of audio that count as arriving at once. */
const STEP_SECONDS = 0.1;
/** Share of real time in which audio may arrive: a recording that is sent at once says nothing about delays. */
const MIN_PACE = 0.5;

/**
 * Measures the delays of one stream, by the arrival of its audio. Audio that comes faster than it was spoken is left out.
 *
 * @param sampleRate Hz
 */
export function createTextDelays(sampleRate: number, clock: Clock, instruments: Instruments) {
  let arrivals: Arrival[] = [];
  let endFrame = 0;
  let hasText = false;

  /**
   * Returns the time at which a frame was spoken: for the last frame of a piece, the arrival of the piece; for the others,
   * earlier.
   */
  const spokenMs = (frame: number) => {
    const piece = arrivals.find(arrival => arrival.endFrame >= Math.min(frame, endFrame));
    return piece && piece.atMs - ((piece.endFrame - frame) * 1000) / sampleRate;
  };
  const forgetBefore = (frame: number) => {
    arrivals = arrivals.filter(arrival => arrival.endFrame >= frame);
  };
  const delayOf = (frame: number) => {
    const from = Math.max(0, frame - SPAN_SECONDS * sampleRate);
    const [first, last] = [spokenMs(from), spokenMs(frame)];
    if (first === undefined || last === undefined) return undefined;
    const isRealTime = last - first >= (MIN_PACE * (frame - from) * 1000) / sampleRate;
    return isRealTime ? Math.max(0, clock.now() - last) / 1000 : undefined;
  };
  const record = (name: 'firstPartialDelay' | 'finalDelay', frame: number) => {
    const seconds = delayOf(frame);
    if (seconds !== undefined) instruments.record(name, seconds);
  };

  return {
    /** Records that audio is written to the recogniser, and when it arrived. */
    written(frames: number, arrivedMs: number): void {
      endFrame += frames;
      const before = arrivals.at(-2)?.endFrame ?? 0;
      if (arrivals.length > 1 && endFrame - before <= STEP_SECONDS * sampleRate) arrivals.pop();
      arrivals.push({ endFrame, atMs: arrivedMs });
      if (arrivals.length <= (2 * KEPT_SECONDS) / STEP_SECONDS) return;
      forgetBefore(endFrame - KEPT_SECONDS * sampleRate);
    },
    /** Records the delay of a result with words that was sent just now. */
    sent({ type, words }: RecognizerResult): void {
      const [first, last] = [words[0], words.at(-1)];
      if (!first || !last) return;
      if (!hasText) record('firstPartialDelay', first.endFrame);
      hasText = type === 'partial';
      if (type === 'partial') return;
      record('finalDelay', last.endFrame);
      forgetBefore(last.endFrame - SPAN_SECONDS * sampleRate);
    },
  };
}
