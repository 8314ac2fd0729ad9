import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { SpeakerTurn } from '../diarizer.ts';
import type { FromSpeakerThread, SpeakerAnswer, SpeakerRequest, ToSpeakerThread } from './speakerThread.ts';
import type { SpeakerWorkOptions } from './speakerWork.ts';

/** One recording or stream in a thread. */
export interface RemoteSpeakerWork {
  /** Copies the samples. */
  write(samples: Int16Array): Promise<void>;
  turns(): Promise<readonly SpeakerTurn[]>;
  speakerDuring(startFrame: number, endFrame: number): Promise<number>;
  close(): Promise<void>;
}

/** A thread with any number of recordings and streams in it, which keeps our process alive only while it is asked. */
export interface SpeakerCalls {
  /** Whether the thread has ended, by itself or by `close`: nothing more can be opened in it. */
  readonly isOver: boolean;
  /** @throws RxscribeError `engine-failed`, as every call of the work does; what `close` is given */
  open(options: SpeakerWorkOptions): Promise<RemoteSpeakerWork>;
  /** Ends the thread; what is still asked fails with the error. Idempotent. */
  close(error: unknown): Promise<void>;
}

export function startSpeakerThread(): SpeakerCalls {
  const thread = new Worker(new URL(`./speakerThread${extname(import.meta.filename)}`, import.meta.url), {
    // Flags and environment of our process are none of its business.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {},
  });
  const waiting = new Map<number, PromiseWithResolvers<SpeakerAnswer>>();
  let calls = 0;
  let works = 0;
  let ended: { readonly error: unknown } | undefined;

  function end(error: unknown): void {
    ended ??= { error };
    for (const { reject } of waiting.values()) reject(ended.error);
    waiting.clear();
  }
  thread.unref();
  thread.on('error', error => end(failed(messageOf(error))));
  thread.on('exit', code => end(failed(`the thread ended (${code})`)));
  thread.on('message', (message: FromSpeakerThread) => {
    const answer = waiting.get(message.call);
    waiting.delete(message.call);
    if (waiting.size === 0) thread.unref();
    if ('answer' in message) answer?.resolve(message.answer);
    else answer?.reject(failed(message.failure));
  });

  function ask(work: number, request: SpeakerRequest): Promise<SpeakerAnswer> {
    if (ended) return Promise.reject(ended.error);
    const answer = Promise.withResolvers<SpeakerAnswer>();
    waiting.set(calls, answer);
    thread.ref();
    const message: ToSpeakerThread = { call: calls++, work, request };
    thread.postMessage(message, request.type === 'write' ? [request.samples.buffer] : []);
    return answer.promise;
  }

  return {
    get isOver() {
      return ended !== undefined;
    },
    async open(options) {
      const work = works++;
      await ask(work, { type: 'open', ...options });
      return {
        write: async samples => void (await ask(work, { type: 'write', samples: samples.slice() })),
        turns: async () => (await ask(work, { type: 'turns' })) as readonly SpeakerTurn[],
        speakerDuring: async (startFrame, endFrame) =>
          (await ask(work, { type: 'speakerDuring', startFrame, endFrame })) as number,
        close: async () => void (await ask(work, { type: 'close' })),
      };
    },
    async close(error) {
      end(error);
      await thread.terminate();
    },
  };
}

function failed(why: string): RxscribeError {
  return new RxscribeError('engine-failed', `tell speakers apart: ${why}`);
}
