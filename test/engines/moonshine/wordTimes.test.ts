import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hypothesis } from '../../../src/engines/moonshine/hypothesis.ts';
import { FRAMES_PER_POSITION } from '../../../src/engines/moonshine/model.ts';
import { tokenFrames } from '../../../src/engines/moonshine/wordTimes.ts';

function hypothesis(
  attention: Hypothesis['attention'],
  { tokens, positions }: { readonly tokens: number; readonly positions: number },
): Hypothesis {
  const some = new Array<number>(tokens).fill(5);
  return {
    ...{ tokens: some, logProbabilities: some.map(() => -0.1), stop: 'end', score: 0, endProbability: 0.9 },
    ...{ attention, positions, known: 0 },
  };
}

/** Any attention of some heads; an utterance that did not end by itself has no row for its end. */
const anything = fc
  .record({
    tokens: fc.integer({ min: 1, max: 12 }),
    positions: fc.integer({ min: 1, max: 40 }),
    heads: fc.integer({ min: 0, max: 3 }),
    hasEnd: fc.boolean(),
  })
  .chain(({ tokens, positions, heads, hasEnd }) => {
    const value = fc.double({ min: 0, max: 1, noNaN: true });
    const row = fc
      .array(value, { minLength: positions, maxLength: positions })
      .map(values => Float32Array.from(values));
    const length = tokens + (hasEnd ? 1 : 0);
    const head = fc.array(row, { minLength: length, maxLength: length });
    return fc
      .array(head, { minLength: heads, maxLength: heads })
      .map(attention => hypothesis(attention, { tokens, positions }));
  });

describe('the times of tokens', () => {
  it('never decrease and stay within the audio, whatever the attention', () => {
    fc.assert(
      fc.property(anything, found => {
        const frames = tokenFrames(found);
        expect(frames).toHaveLength(found.tokens.length + 1);
        let last = 0;
        for (const frame of frames) {
          expect(frame).toBeGreaterThanOrEqual(last);
          expect(frame % FRAMES_PER_POSITION).toBe(0);
          last = frame;
        }
        expect(last).toBeLessThanOrEqual(found.positions * FRAMES_PER_POSITION);
      }),
    );
  });

  it('follow the attention of each token', () => {
    const lengths = fc.array(fc.integer({ min: 8, max: 30 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 3 }), (spans, heads) => {
        const positions = spans.reduce((sum, length) => sum + length, 0);
        const starts = spans.map((_, index) => spans.slice(0, index).reduce((sum, each) => sum + each, 0));
        const rows = spans.map((length, index) =>
          new Float32Array(positions).fill(1 / length, starts[index]!, starts[index]! + length),
        );
        const attention = Array.from({ length: heads }, () => rows);
        const frames = tokenFrames(hypothesis(attention, { tokens: spans.length - 1, positions }));
        for (const [index, frame] of frames.entries()) {
          // The median rounds edges off.
          expect(Math.abs(frame / FRAMES_PER_POSITION - starts[index]!)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('are robust against a single wrong position of a token', () => {
    const positions = 60;
    const rows = [0, 20, 40].map(start => new Float32Array(positions).fill(0.05, start, start + 20));
    const right = tokenFrames(hypothesis([rows], { tokens: 2, positions }));
    const mistaken = rows.map(row => row.slice());
    mistaken[0]![55] = 1;
    expect(tokenFrames(hypothesis([mistaken], { tokens: 2, positions }))).toEqual(right);
  });
});
