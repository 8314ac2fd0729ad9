/** The process that looks for one text in one recording: minutes of work in which nothing else may wait. */
import { sayWork, serveWork } from '../process/serveWork.ts';
import { type Alignment, createAlignment } from './alignment.ts';
import type { FromAlignment, ToAlignment } from './messages.ts';

let alignment: Alignment | undefined;

async function answer(message: ToAlignment): Promise<FromAlignment> {
  if (message.type === 'start') alignment = await createAlignment(message.words);
  if (message.type === 'audio') alignment?.write(message.samples);
  if (message.type === 'finish') return { type: 'found', words: alignment?.finish() ?? [] };
  return { type: 'taken' };
}

serveWork<ToAlignment>(async message => sayWork(await answer(message)));
