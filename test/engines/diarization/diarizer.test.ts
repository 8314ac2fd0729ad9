import { createDiarizer } from '../../../src/engines/diarization/diarizer.ts';
import { diarizerContract } from '../diarizerContract.ts';
import { twoVoices } from './twoVoices.ts';

diarizerContract('the embedded diarizer', { create: createDiarizer, speech: () => twoVoices().samples });
