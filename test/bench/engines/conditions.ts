import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { UNCERTAIN_BELOW } from '../../../src/transcript/model/model.ts';
import { piecesOf } from '../../helpers/cutAudio.ts';
import { samplesOf, speechRecordings } from '../../helpers/speechRecordings.ts';
import { createRandom, type Wave, waves } from '../../helpers/waves.ts';
import { percentOf, scoreByRules, tallyErrors } from '../parts/scoredText.ts';
import { judgeWords } from './parts/confidenceCurve.ts';
import { overTelephone } from './parts/overTelephone.ts';

const RATE = 16_000;
/** Recordings that are added up for the babble of many voices. */
const VOICES = 8;
/** Reverberation time of the room, in seconds for a decay of 60 dB. */
const REVERB_SECONDS = 0.4;

type Condition = (samples: Int16Array, index: number) => Int16Array;

/** Measures word errors of the default recogniser, and its uncertain words, in adverse conditions of the same recordings. */
export async function run(): Promise<void> {
  const recordings = speechRecordings().map(each => ({ ...each, samples: samplesOf(each) }));
  const voices = recordings.map(({ samples }) => samples);
  const softer =
    (decibels: number): Condition =>
    samples =>
      scaled(samples, 10 ** (-decibels / 20));
  const noisy =
    (noise: (length: number, index: number) => Float64Array, decibels: number): Condition =>
    (samples, index) =>
      mixed(samples, noise(samples.length, index), decibels);
  const babble = (length: number, index: number) =>
    babbleOf(
      voices.filter((_, other) => other !== index),
      length,
    );
  const pink = (length: number) => soundOf(waves()['pink noise'], length);
  const band = (length: number) => soundOf(waves()['a small band'], length);
  const conditions: Readonly<Record<string, Condition>> = {
    clean: samples => samples,
    telephone: overTelephone,
    '30 dB softer': softer(30),
    '40 dB softer': softer(40),
    'pink noise 20 dB': noisy(pink, 20),
    'pink noise 10 dB': noisy(pink, 10),
    'babble 20 dB': noisy(babble, 20),
    'babble 10 dB': noisy(babble, 10),
    'a small band 15 dB': noisy(band, 15),
    'reverberation 0.4 s': reverberant,
  };
  await using recognizer = createMoonshineRecognizer();
  const rows = [];
  for (const [condition, change] of Object.entries(conditions)) {
    const scores = [];
    const uncertain = [];
    for (const [index, { samples, reference }] of recordings.entries()) {
      const finals = await recognizer.recognize(piecesOf(change(samples, index), 1600));
      const words = finals.flatMap(final => final.words);
      const values = words.map(({ value }) => value);
      scores.push(scoreByRules(reference, values));
      uncertain.push(
        ...judgeWords(reference, words).filter(({ confidence }) => confidence < UNCERTAIN_BELOW),
      );
    }
    const tally = tallyErrors(scores);
    const wrong = uncertain.filter(({ isRight }) => !isRight).length;
    rows.push({
      condition,
      words: tally.words,
      errors: tally.errors,
      '%': percentOf(tally),
      'uncertain, wrong': wrong,
      'uncertain, right': uncertain.length - wrong,
    });
  }
  console.table(rows);
}

/** Returns samples times a factor, limited to 16 bits. */
function scaled(samples: ArrayLike<number>, factor: number): Int16Array {
  return Int16Array.from(samples, value => Math.max(-32_768, Math.min(32_767, Math.round(value * factor))));
}

/** Adds noise at a ratio of speech to noise. */
function mixed(samples: Int16Array, noise: Float64Array, decibels: number): Int16Array {
  const factor = powerOf(samples) / powerOf(noise) / 10 ** (decibels / 20);
  return scaled(
    Array.from(samples, (value, index) => value + factor * (noise[index] ?? 0)),
    1,
  );
}

/** Returns the root of the mean square. */
function powerOf(samples: ArrayLike<number>): number {
  return Math.sqrt(Array.from(samples).reduce((sum, value) => sum + value * value, 0) / samples.length);
}

/** Returns a sound of a length. */
function soundOf(wave: Wave | undefined, length: number): Float64Array {
  return Float64Array.from({ length }, (_, index) => wave?.(index / RATE) ?? 0);
}

/** Returns several voices at once, each at the same level and at another place. */
function babbleOf(voices: readonly Int16Array[], length: number): Float64Array {
  const sum = new Float64Array(length);
  for (const [at, voice] of voices
    .filter(({ length: frames }) => frames > 2 * RATE)
    .slice(0, VOICES)
    .entries()) {
    const power = powerOf(voice);
    for (let index = 0; index < length; index++)
      sum[index]! += voice[(index + at * 7919) % voice.length]! / power;
  }
  return sum;
}

/** Returns speech in a room: its sound, and a decaying noise of the same power (Moorer's model of late reverberation). */
function reverberant(samples: Int16Array): Int16Array {
  const length = REVERB_SECONDS * RATE;
  const decay = soundOf(createRandom(), length).map((white, index) => white * 10 ** ((-3 * index) / length));
  const room = new Float64Array(samples.length);
  for (const [index, value] of samples.entries()) {
    if (value === 0) continue;
    for (let delay = 0; delay < length && index + delay < room.length; delay++)
      room[index + delay]! += value * decay[delay]!;
  }
  return mixed(samples, room, 0);
}
