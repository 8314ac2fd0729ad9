import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locatePocketSphinx } from '../../src/engines/pocketsphinx/locate.ts';

const LANGUAGE_MODEL = `\\data\\
ngram 1=4

\\1-grams:
-0.6 <s>
-0.6 </s>
-0.6 he
-0.6 was

\\end\\
`;

/**
 * A model of PocketSphinx that knows two words, for what takes thousands of utterances: the true voices, and a tenth of
 * the work. A directory that goes with the disposal.
 */
export async function createTinySpeechModel(): Promise<{ readonly directory: string } & AsyncDisposable> {
  const { model } = await locatePocketSphinx();
  const directory = await mkdtemp(join(tmpdir(), 'tiny-speech-model-'));
  await symlink(model.acousticModel, join(directory, 'voices'));
  await writeFile(join(directory, 'two-words.lm.bin'), LANGUAGE_MODEL);
  await writeFile(join(directory, 'two-words.dict'), 'he HH IY\nwas W AA Z\n');
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}
