import { RxscribeError } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import type { SpeakerTracker } from '../diarizer.ts';

/** Adds lifetime to remote work: the tracker ends when it is closed or the signal aborts. */
export function createSpeakerTracker(
  work: Omit<SpeakerTracker, typeof Symbol.asyncDispose>,
  signal?: AbortSignal,
): SpeakerTracker {
  const closing = new AbortController();
  const over = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  let closed: Promise<void> | undefined;
  const close = () => {
    closing.abort(new RxscribeError('aborted', 'Cannot track speakers: the tracker is closed.'));
    signal?.removeEventListener('abort', close);
    // A thread or process that is gone has nothing left to release.
    closed ??= work.close().catch(() => {});
    return closed;
  };
  signal?.addEventListener('abort', close, { once: true });
  return {
    async write(samples) {
      over.throwIfAborted();
      await withAbort(work.write(samples), over);
    },
    async speakerDuring(startFrame, endFrame) {
      over.throwIfAborted();
      return withAbort(work.speakerDuring(startFrame, endFrame), over);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
