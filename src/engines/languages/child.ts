/** The process that compares speech with the words of each language. A crash of the library ends this process only. */
import { messageOf } from '../../base/errors.ts';
import { loadLibrary } from '../pocketsphinx/library.ts';
import type { FromLanguageChild, ToLanguageChild } from './messages.ts';
import { readLanguages } from './readLanguages.ts';
import { createWordLoopDecoder } from './wordLoopDecoder.ts';

async function answer({ files, samples }: ToLanguageChild): Promise<FromLanguageChild> {
  try {
    const library = loadLibrary(files.libraries);
    const decoder = createWordLoopDecoder(library, files.model.acousticModel, await readLanguages());
    return { type: 'scores', scores: decoder.scoresOf(samples) };
  } catch (error) {
    return { type: 'failed', message: messageOf(error) };
  }
}

process.once('message', async (message: ToLanguageChild) => {
  const said = await answer(message);
  process.send?.(said, () => process.exit(0));
});
process.on('disconnect', () => process.exit(0));
