import { Worker } from 'node:worker_threads';
import { reasonOf } from '../../base/errors.ts';
import type { HostEnd, WorkHost } from './host.ts';

/**
 * Runs a file that calls `serveWork` in a worker thread: for work that blocks but cannot crash.
 *
 * @example
 * const host = startWorkerThread(entryBeside(import.meta, 'speakerThread'));
 */
export function startWorkerThread(entry: URL): WorkHost {
  const thread = new Worker(entry, {
    // The thread needs neither the flags nor the environment of this process.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {},
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<HostEnd>();
  thread.on('error', error => end({ reason: reasonOf(error) }));
  thread.on('exit', code => end({ reason: `its thread ended (exit ${code})` }));
  return {
    ended,
    send: (message, transfer = []) => thread.postMessage(message, transfer),
    listen: listener => void thread.on('message', listener),
    hold: held => void (held ? thread.ref() : thread.unref()),
    async kill() {
      await thread.terminate();
    },
  };
}
