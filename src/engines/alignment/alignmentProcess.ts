import { extname } from 'node:path';
import type { RxscribeError } from '../../base/errors.ts';
import { startWorkProcess } from '../process/workProcess.ts';
import type { FromAlignment, ToAlignment } from './messages.ts';

/** A process that aligns one recording. */
export interface AlignmentProcess {
  /** One at a time. Rejects with `engine-failed` when the process ends instead of answering. */
  ask(message: ToAlignment): Promise<FromAlignment>;
  /** Ends the process at once and waits until it is gone. Idempotent. */
  kill(): Promise<void>;
}

/** Young objects are collected soon: reading the dictionary leaves much behind. */
const FLAGS = ['--max-semi-space-size=4'];

export function startAlignment(): AlignmentProcess {
  const entry = new URL(`./child${extname(import.meta.filename)}`, import.meta.url);
  const child = startWorkProcess<ToAlignment, FromAlignment>(entry, { task: 'align', flags: FLAGS });
  let waiting: PromiseWithResolvers<FromAlignment> | undefined;
  let over: RxscribeError | undefined;
  child.listen(message => waiting?.resolve(message));
  void child.ended.then(error => {
    over = error;
    waiting?.reject(error);
  });
  return {
    ask(message) {
      if (over) return Promise.reject(over);
      waiting = Promise.withResolvers();
      child.send(message);
      return waiting.promise;
    },
    kill: () => child.kill(),
  };
}
