import { joined, readSampleSpeech, silence } from './sampleSpeech.ts';

const RATE = 16_000;

/** Other voices behind one, all as loud: the same reading, begun at different places. */
const VOICES = 7;
const APART_FRAMES = 37_000;

/** Speech of some seconds that nobody understands, because others speak. */
function overOthers(seconds: number): Int16Array {
  const reading = readSampleSpeech('sense-and-sensibility');
  const frames = seconds * RATE;
  const one = joined(silence(1), reading.slice(7 * RATE, 13 * RATE), silence(2));
  const others = Float32Array.from({ length: frames }, (_, at) => {
    let sum = 0;
    for (let voice = 1; voice <= VOICES; voice++)
      sum += reading[(at + voice * APART_FRAMES) % reading.length]!;
    return sum;
  });
  return Int16Array.from(
    { length: frames },
    (_, at) => 0.5 * one[at]! + (0.5 * others[at]!) / Math.sqrt(VOICES),
  );
}

/** A clear sentence, speech of some seconds that nobody understands, and the sentence again. */
export function inaudibleSpeech(seconds = 9): Int16Array {
  const sentence = readSampleSpeech('not-ill-disposed');
  return joined(sentence, silence(1), overOthers(seconds), silence(1), sentence);
}
