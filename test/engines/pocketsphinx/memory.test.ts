import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPocketSphinxRecognizer } from '../../../src/engines/pocketsphinx/recognizer.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { createTinySpeechModel } from '../../helpers/tinySpeechModel.ts';

const UTTERANCES = 2000;
/** By then everything has reached its size. */
const WARM = 500;
/** "was", and the pause after it. */
const utterance = joined(readSampleSpeech('not-ill-disposed').subarray(5600, 8600), silence(0.15));

test('thousands of utterances in one session leave no memory behind', {
  timeout: 900_000,
}, async context => {
  await needsRecognizer(context);
  await using model = await createTinySpeechModel();
  await using recognizer = createPocketSphinxRecognizer({
    modelDirectory: model.directory,
    spareDecoders: 0,
    pauseSeconds: 0.1,
  });
  let warm = 0;
  let last = 0;
  async function* audio() {
    for (let count = 0; count < UTTERANCES; count++) {
      yield utterance;
      last = residentMegabytes();
      if (count === WARM) warm = last;
    }
  }
  // A few run into the next one.
  expect((await recognizer.recognize(audio())).length).toBeGreaterThan(0.95 * UTTERANCES);
  expect(warm).toBeGreaterThan(20);
  expect(last - warm).toBeLessThan(10);
});

function residentMegabytes(): number {
  const [pid] = childrenWith('pocketsphinx/child');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
