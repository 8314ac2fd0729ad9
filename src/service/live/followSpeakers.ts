import { toFloats, toInt16 } from '../../audio/pcm/pcm.ts';
import { createResampler } from '../../audio/resample/resampler.ts';
import type { Clock } from '../../base/clock.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import type { Diarizer, SpeakerTracker } from '../../engines/diarizer.ts';
import type { RecognizerSession } from '../../engines/recognizer.ts';

/** A recogniser session with the speakers of its audio. */
export type FollowedSession = ReturnType<typeof followSpeakers>;

export interface FollowOptions {
  /** Hz of the session's audio. */
  readonly sampleRate: number;
  /** Aborting it ends the work of the diarizer. */
  readonly signal: AbortSignal;
  /** Called once with the reason why speakers are no longer identified; recognition continues. */
  readonly onError: (error: unknown) => void;
  /** Clock of the timeouts of the diarizer. */
  readonly clock: Clock;
}

/** Milliseconds without an answer after which the diarizer has failed; half of the time of a recogniser. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Milliseconds that the end of a stream waits for the diarizer. */
const CLOSE_TIMEOUT_MS = 1000;

/** Passes the audio of a recogniser to a diarizer too. When the diarizer fails, the recogniser continues alone. */
export function followSpeakers(
  session: Pick<RecognizerSession, 'write' | 'finish'>,
  diarizer: Diarizer,
  { sampleRate, signal, onError, clock }: FollowOptions,
) {
  const adapt = rateAdapter(sampleRate, diarizer.sampleRate);
  const scaled = (frame: number) => Math.round((frame * diarizer.sampleRate) / sampleRate);
  let last = 0;
  let isOver = false;
  const close = async () => {
    isOver = true;
    const closed = tracking.then(tracker => tracker?.close());
    await withTimeout(closed, { clock, timeoutMs: CLOSE_TIMEOUT_MS }).catch(() => {});
  };
  const giveUp = (error: unknown) => {
    if (!isOver && !signal.aborted) onError(error);
    isOver = true;
    void tracking.then(tracker => tracker?.close()).catch(() => {});
    return undefined;
  };
  const tracking: Promise<SpeakerTracker | undefined> = diarizer.track({ signal }).catch(giveUp);
  /** Resolves with the answer of the tracker; undefined when there is none. */
  const query = async <T>(request: (tracker: SpeakerTracker) => Promise<T>): Promise<T | undefined> => {
    if (isOver) return undefined;
    const answer = tracking.then(tracker => (tracker && !isOver ? request(tracker) : undefined));
    return withTimeout(answer, { clock, timeoutMs: ANSWER_TIMEOUT_MS, signal }).catch(giveUp);
  };
  return {
    /** Passes audio to recogniser and diarizer. */
    recognizer: {
      async write(samples: Int16Array): Promise<void> {
        // The tracker gets the audio first, so that it has the audio when the results arrive.
        const tracked = query(tracker => tracker.write(adapt(samples)));
        await session.write(samples);
        await tracked;
      },
      finish: () => session.finish(),
    },
    /** Returns the main speaker between two frames of the recogniser, else the previous speaker. Never rejects. */
    async speakerDuring(startFrame: number, endFrame: number): Promise<number> {
      const speaker = await query(tracker => tracker.speakerDuring(scaled(startFrame), scaled(endFrame)));
      last = speaker ?? last;
      return last;
    },
    /** Ends the work of the diarizer only. Idempotent. */
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns a function that resamples audio. */
function rateAdapter(inputRate: number, outputRate: number): (samples: Int16Array) => Int16Array {
  if (inputRate === outputRate) return samples => samples;
  const resampler = createResampler({ inputRate, outputRate, channels: 1 });
  return samples => toInt16(resampler.process(toFloats(samples)));
}
