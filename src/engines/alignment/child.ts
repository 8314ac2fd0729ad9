/** The process that finds one text in one recording: minutes of work in which nothing else may wait. */
import { sayWork, serveWork } from '../process/serveWork.ts';
import { createAlignment } from './alignment.ts';
import { createAudioFile } from './audioFile.ts';
import type { FromAlignment, ToAlignment } from './messages.ts';

const audio = createAudioFile();

async function answer(message: ToAlignment): Promise<FromAlignment> {
  if (message.type === 'align') {
    const align = await createAlignment();
    return { type: 'found', words: align(message.words, message.utterances, audio.read) };
  }
  audio.write(message.samples);
  return { type: 'taken' };
}

serveWork<ToAlignment>(async message => sayWork(await answer(message)));
