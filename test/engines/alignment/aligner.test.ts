import { createAligner } from '../../../src/engines/alignment/aligner.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import { alignerContract } from '../alignerContract.ts';

alignerContract('SoundSwallower', {
  create: createAligner,
  speech: () => readSampleSpeech('not-ill-disposed'),
  words: 'he was not an ill disposed young man'.split(' '),
});
