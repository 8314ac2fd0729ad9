// @module-tag slow

import { expect, test } from 'vitest';
import { createWordLoopIdentifier } from '../../../src/engines/languages/wordLoopIdentifier.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';

const NOTES = [220, 330, 262, 392, 294, 440, 247, 349];

/** 4 s of something, by its level from -1 to 1. */
function sound(levelAt: (seconds: number) => number): Int16Array {
  return Int16Array.from({ length: 4 * 16_000 }, (_, frame) => 6000 * levelAt(frame / 16_000));
}

/** Overtones of a pitch, each weaker than the one below. */
function overtones(pitch: number, seconds: number): number {
  let level = 0;
  for (let tone = 1; tone < 10; tone++) level += Math.sin(2 * Math.PI * pitch * tone * seconds) / (2 * tone);
  return level;
}

let state = 1;
/** White noise, the same each time (Numerical Recipes' generator). */
function white(): number {
  state = (1_664_525 * state + 1_013_904_223) % 2 ** 32;
  return state / 2 ** 31 - 1;
}

const melody = (seconds: number) => {
  const since = seconds % 0.25;
  return overtones(NOTES[Math.floor(seconds * 4) % NOTES.length]!, since) * Math.exp(-6 * since);
};

test.for([
  ['silence', silence(4)],
  ['white noise', sound(white)],
  ['noise that comes and goes as syllables do', sound(at => white() * Math.sin(4 * Math.PI * at) ** 2)],
  ['a tone', sound(at => Math.sin(2 * Math.PI * 440 * at))],
  ['beeps', sound(at => (Math.floor(2 * at) % 2) * Math.sin(2 * Math.PI * 440 * at))],
  ['hum of the mains', sound(at => overtones(50, at))],
  ['a melody', sound(melody)],
] as const)('%s has no language', { timeout: 120_000 }, async ([, samples]) => {
  await using identifier = createWordLoopIdentifier();
  expect(await identifier.identify([samples])).toEqual([]);
});

/** A level for {@link sound}: a series of chords. */
const chords = (seconds: number) => {
  const since = seconds % 0.5;
  const root = NOTES[Math.floor(2 * seconds) % NOTES.length]!;
  const all = [1, 1.26, 1.5].reduce((sum, ratio) => sum + overtones(root * ratio, since), 0);
  return (all / 3) * Math.exp(-3 * since);
};

test('chords have low confidences, if any', { timeout: 120_000 }, async () => {
  await using identifier = createWordLoopIdentifier();
  for (const { confidence } of await identifier.identify([sound(chords)])) {
    expect(confidence).toBeLessThan(0.4);
  }
});

test('chords have lower ones with a recogniser, which finds no words', {
  tags: 'tools',
  timeout: 120_000,
}, async context => {
  await needsRecognizer(context);
  await using recognizer = createMoonshineRecognizer({ processes: 1 });
  await using identifier = createWordLoopIdentifier({ recognizer });
  for (const { confidence } of await identifier.identify([sound(chords)])) {
    expect(confidence).toBeLessThan(0.3);
  }
});

test('a word has low confidences, if any', { timeout: 120_000 }, async () => {
  await using identifier = createWordLoopIdentifier();
  const word = readSampleSpeech('not-ill-disposed').subarray(8000, 16_000);
  for (const { confidence } of await identifier.identify([word])) expect(confidence).toBeLessThan(0.4);
});
