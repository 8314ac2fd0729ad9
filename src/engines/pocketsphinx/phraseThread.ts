/** The thread that looks phrases over: learning how words are said takes seconds in which nothing else may wait. */
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/errors.ts';
import { parseDictionary } from '../pronunciation/dictionary.ts';
import { createVocabularyFinder, type PhraseFindings } from './phraseVocabulary.ts';

/** What the thread is started with. */
export interface PhraseThreadData {
  /** Path of the dictionary. */
  readonly dictionary: string;
}

export interface ToPhraseThread {
  readonly id: number;
  readonly phrases: readonly string[];
}

export type FromPhraseThread =
  | { readonly id: number; readonly findings: PhraseFindings }
  | { readonly id: number; readonly failure: string };

const { dictionary } = workerData as PhraseThreadData;
const find = createVocabularyFinder(parseDictionary(readFileSync(dictionary, 'utf8')));

parentPort?.on('message', async ({ id, phrases }: ToPhraseThread) => {
  const answer = (message: FromPhraseThread) => parentPort?.postMessage(message);
  try {
    answer({ id, findings: await find(phrases, () => setImmediate()) });
  } catch (error) {
    answer({ id, failure: messageOf(error) });
  }
});
