/** The process that compares speech with the words of each language. A crash of the library ends this process only. */
import { loadLibrary } from '../pocketsphinx/library.ts';
import { sayWork, serveWork } from '../process/serveWork.ts';
import type { HeardLanguages, ToLanguageChild } from './messages.ts';
import { readLanguages } from './readLanguages.ts';
import { createWordLoopDecoder } from './wordLoopDecoder.ts';

serveWork<ToLanguageChild>(async ({ files, samples }) => {
  const library = loadLibrary(files.libraries);
  const decoder = createWordLoopDecoder(library, files.model.acousticModel, await readLanguages());
  sayWork<HeardLanguages>({ type: 'heard', heard: decoder.hear(samples) });
});
