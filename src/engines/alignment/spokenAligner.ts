import { systemClock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { withAbort, withDeadline } from '../../base/wait/withTimeout.ts';
import { createRestartingWork } from '../process/restartingWork.ts';
import { entryBeside, startWork } from '../process/work.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import { DICTIONARY_FLAGS } from './englishModel.ts';
import type { SpokenMethods } from './spokenChild.ts';

export interface SpokenAlignerOptions {
  /** Milliseconds without a call after which the process ends. */
  readonly idleMs: number;
  /** Milliseconds of a call, beside the length of its audio, after which the process is killed. Default: 30 s. */
  readonly callTimeoutMs?: number;
}

/**
 * Times words that are spoken in audio, in a process that stays for the next call. It is created with the first call, and
 * another one with the first call after its end.
 */
export function createSpokenAligner({ idleMs, callTimeoutMs = 30_000 }: SpokenAlignerOptions) {
  const entry = entryBeside(import.meta, 'spokenChild');
  const work = createRestartingWork(() =>
    startWork<SpokenMethods>(entry, { task: 'align', flags: DICTIONARY_FLAGS }),
  );
  let last: Promise<unknown> = Promise.resolve();
  let calls = 0;
  let idle: NodeJS.Timeout | undefined;

  async function call(audio: Int16Array, words: readonly string[], signal: AbortSignal) {
    signal.throwIfAborted();
    const timeoutMs = callTimeoutMs + Math.ceil((1000 * audio.length) / VOICE_SAMPLE_RATE);
    const lateError = () => new RxscribeError('engine-failed', `Cannot align: no answer in ${timeoutMs} ms.`);
    const deadline = { timeoutMs, lateError, clock: systemClock, signal };
    return withDeadline(deadline, async over => {
      try {
        return await work.call('find', [audio, words], { signal: over });
      } finally {
        // The process would still be at work, and the next call would wait for it.
        if (over.aborted) await work.stop();
      }
    });
  }

  return {
    /** Returns the number of calls that run or wait. */
    calls: () => calls,
    /**
     * Returns the words that were found, in order. Calls wait for those before them; aborting a running one kills
     * the process.
     *
     * @param audio mono at the rate of the voice detector
     * @throws RxscribeError `engine-failed`; the signal's reason
     */
    async find(audio: Int16Array, words: readonly string[], signal: AbortSignal) {
      calls++;
      clearTimeout(idle);
      const result = last.then(() => call(audio, words, signal));
      last = result.catch(() => {});
      try {
        return await withAbort(result, signal);
      } finally {
        calls--;
        if (calls === 0) idle = setTimeout(() => void work.stop(), idleMs).unref();
      }
    },
    /** Ends the process and resolves when it is gone. Idempotent. */
    async close() {
      clearTimeout(idle);
      await work.close();
    },
  };
}
