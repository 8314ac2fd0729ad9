import { RxscribeError } from '../../base/errors.ts';
import { type CallTime, NO_TIME, sumOf } from './callTimes.ts';
import type { Work, WorkChannel } from './work.ts';

/** Calls to a host that starts with the first one, and again with the next one after it has ended. */
export interface RestartingWork<Methods> {
  readonly call: WorkChannel<Methods>['call'];
  /** Returns the time of the calls so far, of all hosts. */
  time(): CallTime;
  /** Ends the host at once and resolves when it is gone; pending calls reject with `engine-failed`. */
  stop(): Promise<void>;
  /** Stops the host for good: later calls reject with `engine-failed`. */
  close(): Promise<void>;
}

export interface RestartingWorkOptions {
  /** Called when a host has ended: the next one has none of its state. */
  readonly onEnd?: () => void;
}

/**
 * Returns calls to a host that is restarted on demand.
 *
 * @example
 * const work = createRestartingWork(() => startWork<Methods>(entry, { task, setup }));
 */
export function createRestartingWork<Methods>(
  start: () => Work<Methods>,
  { onEnd = () => {} }: RestartingWorkOptions = {},
): RestartingWork<Methods> {
  let running: { readonly work: Work<Methods>; readonly channel: WorkChannel<Methods> } | undefined;
  let isClosed = false;
  /** Time of the hosts that have ended. */
  let ended = NO_TIME;

  function channelOfRunning(): WorkChannel<Methods> {
    if (running && !running.work.isOver) return running.channel;
    const work = start();
    const started = { work, channel: work.openChannel() };
    running = started;
    void work.ended.then(() => {
      ended = sumOf(ended, started.channel.time());
      if (running === started) running = undefined;
      onEnd();
    });
    return started.channel;
  }

  async function stop(): Promise<void> {
    const stopping = running;
    running = undefined;
    await stopping?.work.kill();
  }

  return {
    stop,
    async call(method, args, options) {
      options?.signal?.throwIfAborted();
      if (isClosed) throw new RxscribeError('engine-failed', 'Cannot run the model: the engine is closed.');
      return channelOfRunning().call(method, args, options);
    },
    time: () => sumOf(ended, running?.channel.time() ?? NO_TIME),
    async close() {
      isClosed = true;
      await stop();
    },
  };
}
