import { untilAborted } from '../process/untilAborted.ts';
import type { Answer, Question } from './messages.ts';
import type { SherpaChannel } from './sherpaProcess.ts';

/**
 * Asks one thing over a channel that nothing else is asked, and waits for its answer.
 *
 * @throws RxscribeError `engine-failed`; the signal's reason
 */
export async function askSherpa<Type extends Answer['type']>(
  channel: SherpaChannel,
  question: Question,
  { wanted, signal }: { readonly wanted: Type; readonly signal?: AbortSignal },
): Promise<Extract<Answer, { type: Type }>> {
  signal?.throwIfAborted();
  const answered = Promise.withResolvers<Extract<Answer, { type: Type }>>();
  channel.listen(answer => {
    if (answer.type === wanted) answered.resolve(answer as Extract<Answer, { type: Type }>);
  });
  void channel.ended.then(answered.reject);
  channel.ask(question);
  return untilAborted(answered.promise, signal);
}
