/** The process that compares speech with the words of each language, which blocks for seconds. */
import { sayWork, serveWork } from '../process/serveWork.ts';
import type { HeardLanguages, ToLanguageChild } from './messages.ts';
import { readLanguages } from './readLanguages.ts';
import { createWordLoopDecoder } from './wordLoopDecoder.ts';

serveWork<ToLanguageChild>(async ({ samples }) => {
  const decoder = await createWordLoopDecoder(await readLanguages());
  sayWork<HeardLanguages>({ type: 'heard', heard: decoder.hear(samples) });
});
