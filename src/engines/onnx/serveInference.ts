import { failWork, faultOf, sayWork, serveWork } from '../process/serveWork.ts';
import type { FromInference, ToInference } from './messages.ts';

/** Loads a model and answers requests, one after the other, until the process that started this one is gone. */
export function serveInference<Setup, Request, Answer>(
  load: (setup: Setup) => Promise<(request: Request) => Promise<Answer>>,
): void {
  let loading: Promise<(request: Request) => Promise<Answer>> | undefined;
  let turn: Promise<void> = Promise.resolve();

  async function answer(id: number, request: Request): Promise<void> {
    try {
      const run = await loading;
      if (!run) throw new Error('nothing is loaded');
      sayWork<FromInference<Answer>>({ type: 'done', id, answer: await run(request) });
    } catch (error) {
      sayWork<FromInference<Answer>>({ type: 'refused', id, ...faultOf(error) });
    }
  }

  serveWork((message: ToInference<Setup, Request>) => {
    if (message.type === 'run') {
      turn = turn.then(() => answer(message.id, message.request));
      return;
    }
    loading = load(message.setup);
    loading.catch(failWork);
  });
}
