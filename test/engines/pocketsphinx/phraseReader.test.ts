import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PocketSphinxFiles } from '../../../src/engines/pocketsphinx/files.ts';
import { PhraseReader } from '../../../src/engines/pocketsphinx/phraseReader.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';

const DICTIONARY = 'cat K AE T\nbat B AE T\ntab T AE B\n';

function readerOf(locate: () => Promise<string>): PhraseReader {
  const files = async (): Promise<PocketSphinxFiles> => ({
    libraries: [],
    model: { acousticModel: '', languageModel: '', dictionary: await locate() },
  });
  const reader = new PhraseReader(files);
  onTestFinished(() => reader.close());
  return reader;
}

async function dictionaryFile(): Promise<string> {
  const path = join(await dataDirectory(), 'some.dict');
  await writeFile(path, DICTIONARY);
  return path;
}

test('phrases are read by the dictionary that is found, each asker getting its own', async () => {
  const path = await dictionaryFile();
  const reader = readerOf(async () => path);
  const [one, other] = await Promise.all([reader.read(['Cat', '★']), reader.read(['cab bat'])]);
  expect(one.vocabulary).toEqual({ words: '', phrases: 'cat' });
  expect(one.faults.map(({ phrase }) => phrase)).toEqual(['★']);
  expect(other).toMatchObject({ vocabulary: { phrases: 'cab bat' }, faults: [] });
  expect(other.vocabulary.words).toContain('cab K AE B');
});

test('a dictionary that cannot be read fails who asks, and is looked for again', async () => {
  const path = await dictionaryFile();
  const paths = ['/nonexistent/some.dict', path];
  const reader = readerOf(async () => paths.shift()!);
  const [one, other] = [reader.read(['cat']), readerOf(async () => path).read(['cat'])];
  await expect(one).rejects.toMatchObject({ code: 'engine-failed' });
  expect((await other).vocabulary.phrases).toBe('cat');
  expect((await reader.read(['bat'])).vocabulary.phrases).toBe('bat');
});

test('a closed reader reads nothing, and lets go of who waits', async () => {
  const path = await dictionaryFile();
  const reader = readerOf(async () => path);
  const waiting = expect(reader.read(['cat'])).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all([reader.close(), waiting]);
  await expect(reader.read(['cat'])).rejects.toMatchObject({ code: 'unavailable' });
});
