import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createVaderAnalyzer } from '../../../src/engines/sentiment/vaderAnalyzer.ts';
import { sentimentAnalyzerContract } from '../sentimentAnalyzerContract.ts';

sentimentAnalyzerContract('VADER', {
  create: createVaderAnalyzer,
  positive: 'The room was lovely and the staff were wonderful.',
  negative: 'the food was awful and i hated every bite of it',
});

const scoreOf = async (sentence: string) => (await createVaderAnalyzer().analyze([sentence]))[0]!;

describe('VADER', { timeout: 120_000 }, () => {
  test('scores as published by its authors', async () => {
    const published = {
      'VADER is smart, handsome, and funny.': 0.8316,
      'VADER is not smart, handsome, nor funny.': -0.7424,
      'VADER is VERY SMART, handsome, and FUNNY!!!': 0.9342,
      "At least it isn't a horrible book.": 0.431,
      'Today SUX!': -0.5461,
      'The book was kind of good.': 0.3832,
    };
    const scores = await createVaderAnalyzer().analyze(Object.keys(published));
    expect(scores.map(score => Math.round(score * 1e4) / 1e4)).toEqual(Object.values(published));
  });

  test('respects negation, degree and emphasis', async () => {
    expect(await scoreOf('It was not good.')).toBeLessThan(0);
    expect(await scoreOf('It isn\u2019t good.')).toBe(await scoreOf("It isn't good."));
    expect(await scoreOf("It isn't good.")).toBeLessThan(0);
    expect(await scoreOf('It was very good.')).toBeGreaterThan(await scoreOf('It was good.'));
    expect(await scoreOf('It was good!!!')).toBeGreaterThan(await scoreOf('It was good.'));
    expect(await scoreOf('It was good, but the end was awful.')).toBeLessThan(0);
  });

  test('scores 0 for unknown words', async () => {
    const sentences = ['It is Monday.', 'Das Essen steht auf dem Tisch.', '', '   ', 'constructor __proto__'];
    expect(await createVaderAnalyzer().analyze(sentences)).toEqual([0, 0, 0, 0, 0]);
  });

  test('scores a very long sentence by the mean of its parts', async () => {
    const good = 'good day '.repeat(100);
    const bad = 'bad day '.repeat(100);
    const [pure, mixed, more] = await createVaderAnalyzer().analyze([good, good + bad, good + good + bad]);
    expect(pure).toBeGreaterThan(0.9);
    expect(Math.abs(mixed!)).toBeLessThan(0.01);
    expect(more).toBeCloseTo(pure! / 3, 1);
  });

  // The library's own pattern for capitals takes 20 s for 4,000 of them, and the cube of that for more.
  test.for([
    ['capitals in one word', `${'A'.repeat(1_000_000)}a`],
    ['marks', '!'.repeat(1_000_000)],
    ['emoji', '\u{1f600}'.repeat(500_000)],
    ['words of capitals', `${'A'.repeat(200)}a `.repeat(2000)],
  ] as const)('is not blocked by very many %s', async ([, sentence]) => {
    expect(await scoreOf(sentence)).toBe(0);
  });

  test('yields to others, and can be aborted', async () => {
    const controller = new AbortController();
    const analyzing = createVaderAnalyzer().analyze(['It was good. '.repeat(5_000_000)], controller);
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    controller.abort(new Error('enough'));
    await expect(analyzing).rejects.toThrow('enough');
  });
});
