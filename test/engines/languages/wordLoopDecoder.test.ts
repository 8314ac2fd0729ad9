import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lettersOf } from '../../../src/engines/languages/phoneLetters.ts';
import { createWordLoopDecoder } from '../../../src/engines/languages/wordLoopDecoder.ts';
import { loadLibrary } from '../../../src/engines/pocketsphinx/library.ts';
import { locatePocketSphinx } from '../../../src/engines/pocketsphinx/locate.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';

const WORDS = ['DH AH', 'W AA Z', 'M AE N', 'N AA T'].map(said => ({
  letters: lettersOf(said.split(' ')),
  count: 10,
}));

test('no file has a name while the library reads it', { timeout: 120_000 }, async context => {
  await needsRecognizer(context);
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-loops-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  vi.stubEnv('TMPDIR', directory);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { libraries, model } = await locatePocketSphinx();
  const library = loadLibrary(libraries);
  const named: string[][] = [];
  const watch = <In extends unknown[], Out>(read: (...given: In) => Out) => {
    return (...given: In) => {
      const result = read(...given);
      named.push(readdirSync(directory));
      return result;
    };
  };
  const watched = {
    ...library,
    ps_init: watch(library.ps_init),
    ngram_model_read: watch(library.ngram_model_read),
  };
  const decoder = createWordLoopDecoder(watched, model.acousticModel, { one: WORDS, other: WORDS.slice(2) });
  expect(named).toEqual([[], [], []]);
  expect(await readdir(directory)).toEqual([]);
  const { one, other } = decoder.hear(readSampleSpeech('not-ill-disposed'));
  expect(one!.words).toBeGreaterThan(0);
  expect(other!.words).toBeGreaterThan(0);
});
