// @module-tag tools

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { AlignedWord } from '../../../src/engines/aligner.ts';
import { createAligner } from '../../../src/engines/alignment/aligner.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { joined, readSampleSpeech, readSampleText, silence } from '../../helpers/sampleSpeech.ts';

const RATE = 16_000;
const NEAR_FRAMES = 0.2 * RATE;
const SPEECH = readSampleSpeech('sense-and-sensibility');
const SAID = readSampleText('sense-and-sensibility');
const OTHER =
  `call me ishmael some years ago never mind how long precisely having little or no money in my purse and
  nothing particular to interest me on shore i thought i would sail about a little and see the watery part of the
  world`.split(/\s+/);

beforeEach(needsRecognizer);
const aligner = createAligner();
afterAll(() => aligner.close());

async function align(words: readonly string[], samples = SPEECH): Promise<readonly AlignedWord[]> {
  return await aligner.align([samples], words);
}

const found = (words: readonly AlignedWord[]) => words.filter(({ startFrame }) => startFrame !== undefined);

interface ChangedText {
  readonly words: readonly string[];
  /** Index of each word among the spoken ones; -1 for one that is not spoken. */
  readonly places: readonly number[];
}

/** Returns the spoken words with some replaced. */
function changed(from: string, to: string): ChangedText {
  const [gone, come] = [from, to].map(part => part.split(' ').filter(Boolean)) as [string[], string[]];
  const at = SAID.findIndex((_, index) => gone.every((word, offset) => SAID[index + offset] === word));
  expect(at).toBeGreaterThanOrEqual(0);
  const rest = at + gone.length;
  const placesOfCome = come.map((word, index) => {
    if (come.length === gone.length) return at + index;
    const place = gone.indexOf(word);
    return place < 0 ? -1 : at + place;
  });
  return {
    words: [...SAID.slice(0, at), ...come, ...SAID.slice(rest)],
    places: [
      ...Array.from({ length: at }, (_, index) => index),
      ...placesOfCome,
      ...Array.from({ length: SAID.length - rest }, (_, index) => rest + index),
    ],
  };
}

describe('with the exact text', () => {
  let words: readonly AlignedWord[];
  beforeEach(async () => {
    words ??= await align(SAID);
  });

  it('every word is found', () => {
    expect(found(words)).toHaveLength(SAID.length);
  });

  it('words follow one another and have plausible durations', () => {
    let reached = 0;
    for (const { value, startFrame, endFrame } of words) {
      expect(startFrame, value).toBeGreaterThanOrEqual(reached);
      expect(endFrame! - startFrame!, value).toBeGreaterThanOrEqual(0.03 * RATE);
      expect(endFrame! - startFrame!, value).toBeLessThanOrEqual(1.2 * RATE);
      reached = endFrame!;
    }
  });

  it('no word is in silence, and sentences begin and end next to it', () => {
    const pauses = pausesIn(SPEECH);
    expect(pauses).toHaveLength(5);
    for (const { value, startFrame, endFrame } of words) {
      for (const { from, to } of pauses) {
        const overlap = Math.min(endFrame!, to) - Math.max(startFrame!, from);
        expect(overlap, value).toBeLessThanOrEqual(0.05 * RATE);
      }
    }
    for (const [index, first] of ['and', 'he', 'unless', 'had', 'he'].entries()) {
      const from = index === 0 ? 0 : pauses[index - 1]!.to;
      const start = words.find(({ startFrame }) => startFrame! >= from - 0.05 * RATE)!;
      expect(start.value).toBe(first);
      expect(start.startFrame! - from).toBeLessThanOrEqual(0.4 * RATE);
    }
  });

  it.for([
    ['capitals', 'had he married', 'HAD He MARRIED'],
    ['marks', 'unless to be rather cold hearted', '(unless), to: be… “rather cold” hearted!'],
    ['an abbreviation', 'mister john', 'Mr. John'],
    ['numbers', 'power to do for them', 'power 2 do 4 them'],
    ['misspelt words', 'leisure to consider how', 'leasure to considder how'],
    ['words that no dictionary has', 'john dashwood', 'jonn dashwud'],
    ['a hyphen', 'cold hearted', 'cold-hearted'],
    ['a dash', 'ill disposed young', 'ill\u2013disposed young'],
  ] as const)('%s do not matter', async ([, from, to]) => {
    const { words: text, places } = changed(from, to);
    const aligned = await align(text);
    expect(aligned.map(({ value }) => value)).toEqual(text);
    expect(found(aligned)).toHaveLength(text.length);
    expectInPlace(aligned, places, words);
  });

  it('words joined by a hyphen last as long as both', async () => {
    const { words: text } = changed('cold hearted', 'cold-hearted');
    const aligned = await align(text);
    const joint = aligned[text.indexOf('cold-hearted')]!;
    const cold = SAID.indexOf('cold');
    expect(Math.abs(joint.startFrame! - words[cold]!.startFrame!)).toBeLessThan(NEAR_FRAMES);
    expect(Math.abs(joint.endFrame! - words[cold + 1]!.endFrame!)).toBeLessThan(NEAR_FRAMES);
  });

  it.for([
    ['a word is left out', 'rather cold', 'cold'],
    ['a sentence is left out', 'he was not an ill disposed young man ', ''],
    ['a word is added', 'john dashwood', 'john refrigerator dashwood'],
    ['numbers that nobody says are added', 'john dashwood', 'john 1,250 $5 2024 dashwood'],
    ['a sentence is added', 'had he married', `${OTHER.slice(0, 12).join(' ')} had he married`],
    ['another word stands there', 'amiable woman', 'quite crocodile woman'],
    ['much stands before it', 'and mister', `${OTHER.join(' ')} and mister`],
  ] as const)('the rest is found where %s', async ([, from, to]) => {
    const { words: text, places } = changed(from, to);
    const aligned = await align(text);
    const said = aligned.filter((_, index) => places[index]! >= 0);
    // Short words next to those that are not said are not believed.
    expect(found(said).length).toBeGreaterThanOrEqual(0.8 * said.length);
    expectInPlace(aligned, places, words);
    const made = aligned.filter((_, index) => places[index]! < 0);
    expect(found(made).length).toBeLessThanOrEqual(0.15 * made.length);
  });

  it('the rest is found when the beginning of the text is not spoken', async () => {
    const later = SPEECH.subarray(pausesIn(SPEECH)[1]!.to);
    const aligned = await align(SAID, later);
    const from = SAID.indexOf('unless');
    expect(found(aligned.slice(0, from)).length).toBeLessThanOrEqual(2);
    expect(found(aligned.slice(from)).length).toBeGreaterThanOrEqual(0.85 * (SAID.length - from));
    const shift = SPEECH.length - later.length;
    for (const [index, { startFrame }] of aligned.entries()) {
      if (index < from || startFrame === undefined) continue;
      expect(Math.abs(startFrame + shift - words[index]!.startFrame!)).toBeLessThan(NEAR_FRAMES);
    }
  });
});

describe('when the text is not spoken', () => {
  it('almost nothing of it is found', async () => {
    expect(found(await align(OTHER)).length).toBeLessThanOrEqual(2);
  });

  it.for([
    ['silence', silence(8)],
    ['noise', noise(8, 3000)],
    [
      'a tone',
      Int16Array.from({ length: 8 * RATE }, (_, at) => 8000 * Math.sin((2 * Math.PI * 440 * at) / RATE)),
    ],
  ] as const)('nothing of it is found in %s', async ([, samples]) => {
    expect(found(await align(SAID, samples))).toEqual([]);
  });

  it('words without a pronunciation get no times', async () => {
    const aligned = await align(['—', ...SAID, '???', '@@@'], SPEECH);
    expect(aligned[0]).toEqual({ value: '—' });
    expect(aligned.slice(-2)).toEqual([{ value: '???' }, { value: '@@@' }]);
    expect(found(aligned)).toHaveLength(SAID.length);
  });
});

it('speech after minutes of silence and noise is found there', async () => {
  const before = joined(silence(90), noise(8, 300), silence(40));
  const aligned = await align(SAID, joined(before, SPEECH));
  const words = await align(SAID);
  expect(found(aligned).length).toBeGreaterThanOrEqual(0.95 * SAID.length);
  for (const [index, { startFrame }] of aligned.entries()) {
    if (startFrame === undefined) continue;
    expect(Math.abs(startFrame - before.length - words[index]!.startFrame!)).toBeLessThan(NEAR_FRAMES);
  }
});

/** Checks that aligned words have the times that they have with the exact text. */
function expectInPlace(
  aligned: readonly AlignedWord[],
  places: readonly number[],
  truth: readonly AlignedWord[],
): void {
  const elsewhere = aligned.filter(({ startFrame }, index) => {
    const place = places[index]!;
    if (place < 0 || startFrame === undefined) return false;
    return Math.abs(startFrame - truth[place]!.startFrame!) > NEAR_FRAMES;
  });
  expect(elsewhere).toEqual([]);
}

/** Where samples are nothing but zero for half a second. */
function pausesIn(samples: Int16Array): readonly { readonly from: number; readonly to: number }[] {
  const pauses: { from: number; to: number }[] = [];
  let from = 0;
  for (let at = 0; at <= samples.length; at++) {
    if (at < samples.length && samples[at] === 0) continue;
    if (at - from >= 0.5 * RATE) pauses.push({ from, to: at });
    from = at + 1;
  }
  return pauses;
}

/** White noise, the same each time. */
function noise(seconds: number, peak: number): Int16Array {
  let state = 1;
  return Int16Array.from({ length: seconds * RATE }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return ((state / 2 ** 32) * 2 - 1) * peak;
  });
}
