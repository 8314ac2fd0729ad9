import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSuite } from '../../../../src/replay/suite/read/readSuite.ts';
import { suiteSeconds } from '../../../../src/replay/suite/run/suiteSeconds.ts';
import { recordSpeech } from '../../cassette/recordings.ts';
import { scriptedWav } from '../scriptedWav.ts';
import { suiteFolder } from '../suiteFolder.ts';

const { signal } = new AbortController();

test('the length of a suite is that of its recordings and cassettes', async () => {
  const directory = await suiteFolder({ 'a.wav': scriptedWav([1, 2, 3]), 'b.wav': scriptedWav([4]) });
  await recordSpeech(join(directory, 'tape.cassette.jsonl'));
  const suite = await readSuite([directory]);
  expect(await suiteSeconds(suite, signal)).toBeCloseTo(0.3 + 0.1 + 1.3);
});

test('the length of a suite with other files or embedded audio is unknown', async () => {
  const directory = await suiteFolder({ 'a.wav': 'no audio' });
  expect(await suiteSeconds(await readSuite([directory]), signal)).toBeUndefined();
  const path = join(await suiteFolder({}), 'tape.jsonl');
  await recordSpeech(path, { cassette: { path, audio: 'inside' } });
  expect(await suiteSeconds(await readSuite([path]), signal)).toBeUndefined();
  await expect(suiteSeconds(await readSuite([path]), AbortSignal.abort('enough'))).rejects.toBe('enough');
});
