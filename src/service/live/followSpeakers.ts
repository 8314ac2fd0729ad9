import { toFloats, toInt16 } from '../../audio/pcm/pcm.ts';
import { createResampler } from '../../audio/resample/resampler.ts';
import type { Clock } from '../../base/clock.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import type { Diarizer, SpeakerTracker } from '../../engines/diarizer.ts';
import type { RecognizerSession } from '../../engines/recognizer.ts';

/** A session, and who speaks in it. */
export interface FollowedSession extends AsyncDisposable {
  /** Takes the audio for both. */
  readonly recognizer: Pick<RecognizerSession, 'write' | 'finish'>;
  /** Who speaks most between two frames of the recogniser; where that cannot be told, who spoke last. Never rejects. */
  speakerDuring(startFrame: number, endFrame: number): Promise<number>;
  /** Ends the work of the diarizer, not the session. Idempotent. */
  close(): Promise<void>;
}

export interface FollowOptions {
  /** Hz of the session's audio. */
  readonly sampleRate: number;
  /** Aborting ends the work of the diarizer. */
  readonly signal: AbortSignal;
  /** Told once why speakers are no longer told apart; the words go on. */
  readonly onError: (error: unknown) => void;
  /** By which the diarizer is waited for. */
  readonly clock: Clock;
}

/** A diarizer that does not answer in this time has failed; half of what a recogniser may take. */
const ANSWER_TIMEOUT_MS = 30_000;
/** The end of a stream waits for it no longer. */
const CLOSE_TIMEOUT_MS = 1000;

/** Lets a diarizer hear what a recogniser hears. When it fails the recogniser goes on alone. */
export function followSpeakers(
  session: Pick<RecognizerSession, 'write' | 'finish'>,
  diarizer: Diarizer,
  { sampleRate, signal, onError, clock }: FollowOptions,
): FollowedSession {
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
  /** What the tracker says, while there is one. */
  const ask = async <T>(request: (tracker: SpeakerTracker) => Promise<T>): Promise<T | undefined> => {
    if (isOver) return undefined;
    const answer = tracking.then(tracker => (tracker && !isOver ? request(tracker) : undefined));
    return withTimeout(answer, { clock, timeoutMs: ANSWER_TIMEOUT_MS, signal }).catch(giveUp);
  };
  return {
    recognizer: {
      async write(samples) {
        // Asked first, so that the tracker knows the audio of all results by the time that they come.
        const heard = ask(tracker => tracker.write(adapt(samples)));
        await session.write(samples);
        await heard;
      },
      finish: () => session.finish(),
    },
    async speakerDuring(startFrame, endFrame) {
      const speaker = await ask(tracker => tracker.speakerDuring(scaled(startFrame), scaled(endFrame)));
      last = speaker ?? last;
      return last;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Turns samples into those of another rate. */
function rateAdapter(inputRate: number, outputRate: number): (samples: Int16Array) => Int16Array {
  if (inputRate === outputRate) return samples => samples;
  const resampler = createResampler({ inputRate, outputRate, channels: 1 });
  return samples => toInt16(resampler.process(toFloats(samples)));
}
