import { RxscribeError } from '../../base/errors.ts';
import { startWorkProcess } from '../process/workProcess.ts';
import type { FromInference, ToInference } from './messages.ts';

/** A process with a model in it, which answers requests in turn. */
export interface InferenceProcess<Request, Answer> {
  /**
   * Starts the process if there is none. When the signal aborts, the answer is not waited for, though it is computed.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason
   */
  run(request: Request, signal?: AbortSignal): Promise<Answer>;
  /** Ends the process at once and waits until it is gone; who still waits for an answer gets `engine-failed`. */
  close(): Promise<void>;
}

export interface InferenceProcessOptions {
  /** Begins the messages of errors. Default `run model`. */
  readonly task?: string;
  /** Called when a process has ended: the next one knows nothing of what was asked of it. */
  readonly onEnd?: () => void;
}

/**
 * Runs `entry` (a file that calls `serveInference`) in a process of its own: what it computes holds nobody up, and its
 * end is not ours. One that ended is started again with the next request.
 */
export function createInferenceProcess<Setup, Request, Answer>(
  entry: URL,
  setup: Setup,
  { task = 'run model', onEnd = () => {} }: InferenceProcessOptions = {},
): InferenceProcess<Request, Answer> {
  let running: Running<Request, Answer> | undefined;
  let isClosed = false;
  return {
    async run(request, signal) {
      signal?.throwIfAborted();
      if (isClosed) throw new RxscribeError('engine-failed', 'run model: the engine is closed');
      if (!running) {
        const started = startProcess<Setup, Request, Answer>(entry, setup, task);
        running = started;
        started.ended.then(() => {
          if (running === started) running = undefined;
          onEnd();
        });
      }
      return running.run(request, signal);
    },
    async close() {
      isClosed = true;
      await running?.kill();
    },
  };
}

interface Running<Request, Answer> {
  run(request: Request, signal?: AbortSignal): Promise<Answer>;
  readonly ended: Promise<RxscribeError>;
  kill(): Promise<void>;
}

function startProcess<Setup, Request, Answer>(
  entry: URL,
  setup: Setup,
  task: string,
): Running<Request, Answer> {
  const child = startWorkProcess<ToInference<Setup, Request>, FromInference<Answer>>(entry, { task });
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  let nextId = 0;
  child.listen(message => {
    const asked = waiting.get(message.id);
    if (message.type === 'done') asked?.resolve(message.answer);
    else asked?.reject(new RxscribeError(message.code, message.message));
  });
  void child.ended.then(error => {
    for (const { reject } of waiting.values()) reject(error);
  });
  child.send({ type: 'load', setup });
  return {
    ended: child.ended,
    async run(request, signal) {
      const id = nextId++;
      const answer = Promise.withResolvers<Answer>();
      const onAbort = () => answer.reject(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.set(id, answer);
      child.hold(true);
      child.send({ type: 'run', id, request });
      try {
        return await answer.promise;
      } finally {
        signal?.removeEventListener('abort', onAbort);
        waiting.delete(id);
        // Our own process may end while this one has nothing to do.
        if (waiting.size === 0) child.hold(false);
      }
    },
    kill: () => child.kill(),
  };
}
