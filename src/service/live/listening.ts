import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import { type TimeoutOptions, withTimeout } from '../../base/wait/withTimeout.ts';
import type { RecognizerSession } from '../../engines/recognizer.ts';
import { CLOSE } from '../../protocol/closeCodes.ts';
import type { CreditMeter } from '../accounts/accounts.ts';
import { ENDINGS, type Ending, type EndingDecision } from './ending.ts';

/** Audio that a recogniser is given at once: a share of the event loop, and of what an end has to wait for. */
const WRITE_SECONDS = 0.25;

/** What becomes of the recogniser's results. */
export interface ResultsProgress {
  /** Rejects when the recogniser fails, resolves when its last result is told. */
  readonly end: Promise<void>;
  /** Results that are dealt with. */
  told(): number;
}

export interface ListeningOptions {
  readonly recognizer: Pick<RecognizerSession, 'write' | 'finish'>;
  /** Hz. */
  readonly sampleRate: number;
  readonly results: ResultsProgress;
  readonly meter: CreditMeter;
  readonly decision: EndingDecision;
  readonly stallMs: number;
  readonly clock: Clock;
  /** Why the ending is what it is, for the log. */
  readonly onError: (error: unknown) => void;
}

/**
 * Gives audio to a recogniser as fast as it takes it, until the audio ends or an end is decided; then, if that end wants
 * it, lets the recogniser finish. An end is decided when this returns.
 *
 * @returns seconds of audio that the recogniser took
 */
export async function listen(audio: AsyncIterable<Int16Array>, options: ListeningOptions): Promise<number> {
  const { recognizer, results, decision, clock, stallMs, onError } = options;
  const timeout = { clock, timeoutMs: stallMs, signal: decision.stopped };
  let seconds = 0;
  const fail = (error: unknown) => {
    if (!decision.ending) onError(error);
    decision.decide(endingOf(error, seconds));
  };
  try {
    for await (const samples of audio) {
      for (const piece of pieces(samples, WRITE_SECONDS * options.sampleRate)) {
        await withTimeout(recognizer.write(piece), timeout);
        seconds += piece.length / options.sampleRate;
        charge(piece.length / options.sampleRate, options);
        // A recogniser that never makes us wait must not keep the others from the event loop.
        await setImmediate();
        if (decision.ending) break;
      }
      if (decision.ending) break;
    }
  } catch (error) {
    fail(error);
  }
  if (decision.ending?.flush !== false) {
    const finished = recognizer.finish().then(() => results.end);
    await whileProgressing(finished, results, timeout).catch(fail);
  }
  decision.decide(ENDINGS.endOfInput);
  return seconds;
}

/** Waits as long as one result after the other is told in time. */
async function whileProgressing(
  finished: Promise<void>,
  results: ResultsProgress,
  timeout: TimeoutOptions,
): Promise<void> {
  for (;;) {
    const before = results.told();
    try {
      return await withTimeout(finished, timeout);
    } catch (error) {
      const isLate = error instanceof RxscribeError && error.code === 'timeout';
      if (!isLate || results.told() === before) throw error;
    }
  }
}

function charge(seconds: number, { meter, decision }: ListeningOptions): void {
  meter.use(seconds);
  if (!meter.hasCredit) decision.decide(ENDINGS.outOfCredit);
}

function* pieces(samples: Int16Array, length: number): Generator<Int16Array> {
  for (let at = 0; at < samples.length; at += length) yield samples.subarray(at, at + length);
}

/** Errors that say that the bytes are not what the content type promised. */
const MEDIA_FAULTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['audio-corrupt', 'audio-unsupported', 'program-missing', 'invalid-argument'] as const),
]);

function endingOf(error: unknown, seconds: number): Ending {
  if (!(error instanceof RxscribeError)) return ENDINGS.failed;
  if (error.code === 'audio-empty') return ENDINGS.endOfInput;
  if (!MEDIA_FAULTS.has(error.code)) return ENDINGS.failed;
  const fault = { rule: CLOSE.badRequest, why: error.message, flush: true };
  // What was understood before the fault is worth keeping.
  if (seconds > 0) return fault;
  return { ...fault, failure: { failure: 'invalid_media', failureDetail: error.message } };
}
