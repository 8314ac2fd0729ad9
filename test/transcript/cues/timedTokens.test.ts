import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timedTokens } from '../../../src/transcript/cues/timedTokens.ts';

const times = (tokens: Parameters<typeof timedTokens>[0]) =>
  timedTokens(tokens).map(({ ts, endTs }) => [ts, endTs].map(seconds => Math.round(seconds * 1000) / 1000));

describe('timedTokens', () => {
  it('keeps times that are known', () => {
    expect(
      times([
        { text: 'a', ts: 1, endTs: 2 },
        { text: 'b', ts: 3, endTs: 4 },
      ]),
    ).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('shares the time between neighbours by length', () => {
    const between = [{ text: 'a' }, { text: 'bcd' }];
    const tokens = [{ text: 'x', ts: 0, endTs: 1 }, ...between, { text: 'y', ts: 1.6, endTs: 2 }];
    expect(times(tokens).slice(1, 3)).toEqual([
      [1, 1.2],
      [1.2, 1.6],
    ]);
  });

  it('takes a book without times', () => {
    expect(timedTokens(Array.from({ length: 300_000 }, () => ({ text: 'a' })))).toHaveLength(300_000);
  });

  it('leaves silence where there is more time than words can take', () => {
    expect(
      times([{ text: 'x', ts: 0, endTs: 1 }, { text: 'abc' }, { text: 'y', ts: 9, endTs: 10 }])[1],
    ).toEqual([1, 1.8]);
  });

  it('starts words without times before the first known one, but not before 0', () => {
    expect(times([{ text: 'abcd' }, { text: 'y', ts: 9, endTs: 10 }])[0]).toEqual([8.667, 9]);
    expect(times([{ text: 'abcd' }, { text: 'y', ts: 0.1, endTs: 1 }])[0]).toEqual([0, 0.1]);
  });

  it('goes on at the speed of speech after the last known one', () => {
    expect(times([{ text: 'x', ts: 0, endTs: 1 }, { text: 'ab' }, { text: 'c' }]).slice(1)).toEqual([
      [1, 1.2],
      [1.2, 1.333],
    ]);
  });

  it('ends a word that has only a start where the next one starts', () => {
    expect(
      times([
        { text: 'ab', ts: 1 },
        { text: 'c', ts: 1.3, endTs: 2 },
      ])[0],
    ).toEqual([1, 1.3]);
  });

  it('puts times in order, whatever they were', () => {
    const seconds = fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.array(fc.record({ text: fc.constantFrom('a', 'bcd'), ts: seconds, endTs: seconds })),
        tokens => {
          const timed = timedTokens(tokens);
          expect(timed.map(token => token.text)).toEqual(tokens.map(token => token.text));
          timed.forEach(({ ts, endTs }, index) => {
            expect(ts).toBeGreaterThanOrEqual(timed[index - 1]?.ts ?? 0);
            expect(endTs).toBeGreaterThanOrEqual(ts);
          });
        },
      ),
    );
  });
});
