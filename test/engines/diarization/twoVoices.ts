import { seeded } from '../../../src/base/seeded.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import { type Conversation, conversation } from './conversations.ts';

/** The reader of the sample in turns with a deeper voice: the same reader, played a quarter slower. */
export function twoVoices(): Conversation {
  const speech = readSampleSpeech('sense-and-sensibility');
  const half = Math.floor(speech.length / 2);
  return conversation([speech.subarray(0, half), slowed(speech.subarray(half), 4 / 3)], seeded(1));
}

/** Samples that last longer by a factor, and sound as much deeper. */
export function slowed(samples: Int16Array, factor: number): Int16Array {
  return Int16Array.from({ length: Math.floor((samples.length - 1) * factor) }, (_, index) => {
    const at = index / factor;
    const before = Math.floor(at);
    return samples[before]! + (at - before) * (samples[before + 1]! - samples[before]!);
  });
}
