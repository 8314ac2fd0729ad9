import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodedWords } from '../../../src/engines/moonshine/decodedWords.ts';
import type { DecodedSpan } from '../../../src/engines/moonshine/decodeUtterance.ts';
import { FRAMES_PER_POSITION } from '../../../src/engines/moonshine/model.ts';
import { encodeText } from '../../../src/engines/moonshine/tokens.ts';

/** A stretch in which a text was decoded, a token each `step` positions. */
function spanOf(text: string, { start = 0, step = 10 }: { start?: number; step?: number } = {}): DecodedSpan {
  const tokens = encodeText(text);
  const positions = (tokens.length + 1) * step;
  const rows = [...tokens, 0].map((_, row) =>
    new Float32Array(positions).fill(1, row * step, (row + 1) * step),
  );
  const logProbabilities = tokens.map(() => Math.log(0.8));
  const rest = {
    stop: 'end',
    score: 0,
    endProbability: 0.9,
    attention: [rows],
    positions,
    known: 0,
  } as const;
  const end = start + positions * FRAMES_PER_POSITION;
  return { from: start, start, end, hypothesis: { tokens, logProbabilities, ...rest } };
}

/** A tone without pauses, as long as all stretches here. */
const tone = Int16Array.from({ length: 60 * 16_000 }, (_, at) => 8000 * Math.sin(at / 5));

const valuesOf = (text: string) => decodedWords(spanOf(text), tone).map(({ value }) => value);
const writtenOf = (text: string) => decodedWords(spanOf(text), tone).map(({ written }) => written);

describe('decoded words', () => {
  it('are plain, with their writing', () => {
    const text = "And Mr. Dashwood, “ill-disposed”: he's 'em!";
    expect(valuesOf(text)).toEqual(['and', 'mr', 'dashwood', 'ill-disposed', "he's", 'em']);
    expect(writtenOf(text)).toEqual(['And', 'Mr.', 'Dashwood,', '“ill-disposed”:', "he's", "'em!"]);
  });

  it.each([
    ['21', 'twenty one'],
    ['50%', 'fifty percent'],
    ['3:30', 'three thirty'],
    ['007', 'zero zero seven'],
    ['AT&T', 'at and t'],
  ])('spell out figures: %s', (written, said) => {
    expect(valuesOf(`was ${written} then`)).toEqual(['was', ...said.split(' '), 'then']);
    const empty = said
      .split(' ')
      .slice(1)
      .map(() => '');
    expect(writtenOf(`was ${written} then`)).toEqual(['was', written, ...empty, 'then']);
  });

  it('spell out sums of money', () => {
    for (const value of valuesOf('It costs $20 or £5 now')) expect(value).toMatch(/^[a-z'.-]+$/);
  });

  it('skip marks that stand alone', () => {
    expect(valuesOf('He – was … there .')).toEqual(['he', 'was', 'there']);
    expect(valuesOf('...')).toEqual([]);
  });

  it('are in order within their range, each with some duration', () => {
    const text = fc.array(fc.stringMatching(/^[A-Za-z0-9',.&%-]{1,9}$/), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, fc.nat(16_000), fc.integer({ min: 1, max: 30 }), (words, start, step) => {
        const span = spanOf(words.join(' '), { start, step });
        let last = span.start;
        for (const word of decodedWords(span, tone)) {
          expect(word.startFrame).toBeGreaterThanOrEqual(last);
          expect(word.endFrame).toBeGreaterThan(word.startFrame);
          expect(word.confidence).toBeCloseTo(0.8, 2);
          expect(word.value).toBe(word.value.toLowerCase());
          last = word.endFrame;
        }
        expect(last).toBeLessThanOrEqual(span.end);
      }),
    );
  });

  it('include no part of a pause', () => {
    const span = spanOf('one two', { step: 40 });
    const samples = tone.slice();
    // Within the first word, nearer to its end.
    const [from, to] = [20 * FRAMES_PER_POSITION, 36 * FRAMES_PER_POSITION];
    samples.fill(0, from, to);
    const [first, second] = decodedWords(span, samples);
    expect(first!.endFrame).toBeLessThanOrEqual(from + 160);
    expect(second!.startFrame).toBeGreaterThanOrEqual(to - 160);
  });
});
