import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { FromAlignment, ToAlignment } from './messages.ts';

/** A process that aligns one recording. */
export interface AlignmentProcess {
  /** One at a time. Rejects with `engine-failed` when the process ends instead of answering. */
  ask(message: ToAlignment): Promise<FromAlignment>;
  /** Ends the process at once and waits until it is gone. Idempotent. */
  kill(): Promise<void>;
}

/** Young objects are collected soon: reading the dictionary leaves much behind. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'];

export function startAlignment(): AlignmentProcess {
  const child = fork(new URL(`./child${extname(import.meta.filename)}`, import.meta.url), {
    serialization: 'advanced',
    // On failure the engine prints its own source.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A group of its own: Ctrl-C in a terminal is for us.
    detached: true,
    execArgv: FLAGS,
    // Tokens and addresses in our environment are none of its business.
    env: {},
  });
  let waiting: PromiseWithResolvers<FromAlignment> | undefined;
  const ended = endOf(child);
  ended.then(error => waiting?.reject(error));
  child.on('message', (message: FromAlignment) => {
    if (message.type === 'failed') waiting?.reject(failed(message.message));
    else waiting?.resolve(message);
  });
  return {
    ask(message) {
      const answer = Promise.withResolvers<FromAlignment>();
      waiting = answer;
      // An error here means that the process is going.
      if (child.connected) child.send(message, () => {});
      else ended.then(answer.reject);
      return answer.promise;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function endOf(child: ChildProcess): Promise<RxscribeError> {
  const how = await Promise.race([
    once(child, 'error').then(([error]) => messageOf(error)),
    // The channel ends after the last message in it was read.
    Promise.all([once(child, 'exit'), once(child, 'disconnect')]).then(
      ([[code, signal]]) => `its process ended (${signal ?? `exit ${code}`})`,
    ),
  ]);
  return failed(how);
}

function failed(why: string): RxscribeError {
  return new RxscribeError('engine-failed', `align: ${why}`);
}
