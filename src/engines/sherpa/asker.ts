import type { RxscribeError } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import type { Answer, Question } from './messages.ts';
import type { SherpaChannel } from './sherpaProcess.ts';

/**
 * Asks one thing after the other over a channel, and waits for its answer.
 *
 * @throws RxscribeError `engine-failed`; the signal's reason
 */
export type Asker = <Type extends Answer['type']>(
  question: Question,
  options: { readonly wanted: Type; readonly signal?: AbortSignal },
) => Promise<Extract<Answer, { type: Type }>>;

/** Questions over a channel that nothing else is asked. */
export function createAsker(channel: Pick<SherpaChannel, 'ended' | 'ask' | 'listen'>): Asker {
  let over: RxscribeError | undefined;
  let reject: (error: RxscribeError) => void = () => {};
  // Once: what waits for a promise is kept as long as it, and a channel may be asked for hours.
  void channel.ended.then(error => {
    over = error;
    reject(error);
  });
  return async (question, { wanted, signal }) => {
    signal?.throwIfAborted();
    if (over) throw over;
    const answered = Promise.withResolvers<Extract<Answer, { type: typeof wanted }>>();
    reject = answered.reject;
    channel.listen(answer => {
      if (answer.type === wanted) answered.resolve(answer as Extract<Answer, { type: typeof wanted }>);
    });
    channel.ask(question);
    return withAbort(answered.promise, signal);
  };
}
