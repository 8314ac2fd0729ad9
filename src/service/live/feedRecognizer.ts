import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import { type TimeoutOptions, withTimeout } from '../../base/wait/withTimeout.ts';
import type { RecognizerSession } from '../../engines/recognizer.ts';
import { CLOSE } from '../../protocol/closeCodes.ts';
import type { CreditMeter } from '../accounts/accounts.ts';
import { ENDINGS, type Ending, type EndingDecision } from './ending.ts';

/** Seconds of audio written to a recogniser at once: bounds the time on the event loop, and the wait at the end. */
const WRITE_SECONDS = 0.25;

/** The progress of the recogniser's results. */
export interface ResultsProgress {
  /** Rejects when the recogniser fails; resolves when its last result is reported. */
  readonly end: Promise<void>;
  /** Returns the number of reported results. */
  reportedCount(): number;
}

export interface FeedOptions {
  readonly recognizer: Pick<RecognizerSession, 'write' | 'finish'>;
  /** Hz. */
  readonly sampleRate: number;
  readonly results: ResultsProgress;
  readonly meter: CreditMeter;
  readonly decision: EndingDecision;
  readonly stallMs: number;
  readonly clock: Clock;
  /** Called with the cause of the ending, for the log. */
  readonly onError: (error: unknown) => void;
  /** Called with the number of frames before they are written. Default: not called. */
  readonly onAudio?: (frames: number) => void;
}

/**
 * Writes audio to a recogniser as fast as it accepts it, until the audio or the credit ends or an ending is decided that leaves
 * out the rest; then, unless nothing is to be recognised any more, lets the recogniser finish. An ending is decided on return.
 *
 * @returns seconds of audio accepted by the recogniser
 */
export async function feedRecognizer(
  audio: AsyncIterable<Int16Array>,
  options: FeedOptions,
): Promise<number> {
  const { recognizer, results, meter, decision, clock, stallMs, onError } = options;
  const timeout = { clock, timeoutMs: stallMs, signal: decision.stopped };
  let seconds = 0;
  const fail = (error: unknown) => {
    if (!decision.ending) onError(error);
    decision.decide(endingOf(error, seconds));
  };
  try {
    for await (const piece of pieces(audio, WRITE_SECONDS * options.sampleRate)) {
      if (decision.ending && decision.ending.flush !== 'all') break;
      options.onAudio?.(piece.length);
      await withTimeout(recognizer.write(piece), timeout);
      seconds += piece.length / options.sampleRate;
      meter.use(piece.length / options.sampleRate);
      if (!meter.hasCredit) {
        decision.decide(ENDINGS.outOfCredit);
        break;
      }
      // A recogniser that always accepts at once must not block the event loop.
      await setImmediate();
    }
  } catch (error) {
    fail(error);
  }
  const flush = decision.ending?.flush ?? 'all';
  if (flush !== 'none') {
    const finished = recognizer.finish().then(() => results.end);
    await whileProgressing(finished, results, timeout).catch(fail);
  }
  decision.decide(ENDINGS.endOfInput);
  return seconds;
}

/** Waits as long as results keep being reported in time. */
async function whileProgressing(
  finished: Promise<void>,
  results: ResultsProgress,
  timeout: TimeoutOptions,
): Promise<void> {
  for (;;) {
    const before = results.reportedCount();
    try {
      return await withTimeout(finished, timeout);
    } catch (error) {
      const isLate = error instanceof RxscribeError && error.code === 'timeout';
      if (!isLate || results.reportedCount() === before) throw error;
    }
  }
}

async function* pieces(audio: AsyncIterable<Int16Array>, length: number): AsyncGenerator<Int16Array> {
  for await (const samples of audio) {
    for (let at = 0; at < samples.length; at += length) yield samples.subarray(at, at + length);
  }
}

/** Codes of errors of bytes that do not match the content type. */
const MEDIA_FAULTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'audio-corrupt',
  'audio-unsupported',
  'program-missing',
  'invalid-argument',
]);

function endingOf(error: unknown, seconds: number): Ending {
  if (!(error instanceof RxscribeError)) return ENDINGS.failed;
  if (error.code === 'audio-empty') return ENDINGS.endOfInput;
  if (error.code === 'timeout') return ENDINGS.hung;
  if (!MEDIA_FAULTS.has(error.code)) return ENDINGS.failed;
  const fault = { rule: CLOSE.badRequest, why: error.message, flush: 'all', sends: 'all' } as const;
  // The words before the fault are worth keeping.
  if (seconds > 0) return fault;
  return { ...fault, failure: { failure: 'invalid_media', failureDetail: error.message } };
}
