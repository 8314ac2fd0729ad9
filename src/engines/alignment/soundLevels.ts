import { TICK_FRAMES } from '../soundswallower/grammarDecoder.ts';
import { decibelsOf } from '../voice/decibels.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';

/** A stretch of audio in ticks. */
export interface Ticks {
  readonly start: number;
  readonly end: number;
}

/** Stretches of audio that are recognised by their loudness, in order. */
export interface SoundLevels {
  /** Loud high frequencies, as of "s". */
  readonly hisses: readonly Ticks[];
  /** At most the noise of the background. */
  readonly silences: readonly Ticks[];
}

/** Share of the audio that counts as background: the quietest tenth. */
const BACKGROUND = 0.1;
/** Level in dB up to which sound is digital silence, which is no background. */
const DIGITAL_SILENCE = 12;
/** Level of a hiss above the background, in dB. */
const HISS_LEVEL = 14;
const LEAST_HISS = 3;
/** Level of the sound above the background up to which it is silence, in dB. */
const SILENCE_LEVEL = 6;
/** The closure of a stop is shorter. */
const LEAST_SILENCE = 15;
/** In shorter audio, the quietest part may be a soft sound. */
const LEAST_AUDIO = 200;
/** Cut-off of the rumble that is left out, in Hz. */
const RUMBLE = 150;

/** Finds hisses and silences in audio. */
export function soundLevelsOf(audio: Int16Array): SoundLevels {
  const high = levelsOf(highFrequencies(audio));
  const all = levelsOf(withoutRumble(audio));
  const [highFloor, floor] = [backgroundOf(high), backgroundOf(all)];
  const isSilent = (at: number) =>
    all[at]! <= floor + SILENCE_LEVEL && high[at]! <= highFloor + SILENCE_LEVEL;
  return {
    hisses: stretchesOf(high.length, at => high[at]! > highFloor + HISS_LEVEL, LEAST_HISS),
    silences: high.length < LEAST_AUDIO ? [] : stretchesOf(high.length, isSilent, LEAST_SILENCE),
  };
}

/** Returns the second difference, which rises by 12 dB an octave. */
function highFrequencies(audio: Int16Array): Float32Array {
  const from = (at: number) => audio[Math.max(0, at)]!;
  return Float32Array.from(audio, (sample, at) => sample - 2 * from(at - 1) + from(at - 2));
}

function withoutRumble(audio: Int16Array): Float32Array {
  const share = 1 - Math.exp((-2 * Math.PI * RUMBLE) / VOICE_SAMPLE_RATE);
  let [first, second] = [audio[0] ?? 0, 0];
  return Float32Array.from(audio, sample => {
    first += share * (sample - first);
    const once = sample - first;
    second += share * (once - second);
    return once - second;
  });
}

/** Returns the level of each tick in dB. */
function levelsOf(samples: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.ceil(samples.length / TICK_FRAMES) }, (_, tick) =>
    decibelsOf(samples.subarray(tick * TICK_FRAMES, (tick + 1) * TICK_FRAMES)),
  );
}

function backgroundOf(levels: Float32Array): number {
  const heard = levels.filter(level => level > DIGITAL_SILENCE).sort();
  return heard[Math.floor(BACKGROUND * heard.length)] ?? 0;
}

function stretchesOf(length: number, isInside: (at: number) => boolean, least: number): readonly Ticks[] {
  const stretches: Ticks[] = [];
  for (let at = 0; at < length; at++) {
    const start = at;
    while (at < length && isInside(at)) at++;
    if (at - start >= least) stretches.push({ start, end: at });
  }
  return stretches;
}
