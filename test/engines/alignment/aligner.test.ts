// @module-tag tools

import { afterAll, beforeEach } from 'vitest';
import { createAligner } from '../../../src/engines/alignment/aligner.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import { alignerContract } from '../alignerContract.ts';

beforeEach(needsRecognizer);
const recognizer = createMoonshineRecognizer();
afterAll(() => recognizer.close());

alignerContract('SoundSwallower', {
  create: () => createAligner({ recognizer }),
  speech: () => readSampleSpeech('not-ill-disposed'),
  words: 'he was not an ill disposed young man'.split(' '),
});
