import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HoleEvent, LiveEvent } from '../../src/transcript/events.ts';
import { type TextElement, type Transcript, textOf } from '../../src/transcript/model.ts';
import { spliceRepair } from '../../src/transcript/spliceRepair.ts';
import { final, hole, repair } from '../helpers/transcriptEvents.ts';

/** What a job says of audio that begins at some time: monologues as [speaker, text, ts, endTs]. */
const jobFrom = (
  audioTs: number,
  ...turns: readonly (readonly [number, string, number, number])[]
): Transcript => ({
  monologues: turns.map(([speaker, text, ts, endTs]) => ({
    speaker,
    elements: final(text, ts - audioTs, endTs - audioTs).elements,
  })),
});
const texts = (monologues: Transcript['monologues']) =>
  monologues.map(({ speaker, elements }) => [speaker, textOf(elements)]);
const timesOf = (monologues: Transcript['monologues']) =>
  monologues
    .flatMap(({ elements }) => elements as readonly TextElement[])
    .flatMap(({ ts, endTs }) => (ts === undefined ? [] : [[ts, endTs]]));

describe('spliceRepair', () => {
  const before = final('one two three,', 0, 3, 0);
  const after = final('seven eight.', 6, 8, 1);
  const place = { audioTs: 1, ts: 3, endTs: 6, beside: [before, after] };

  it('shifts times, and leaves out what was heard in the margins, with its marks', () => {
    const job = jobFrom(1, [0, 'two three, four, five, six, seven', 1, 7]);
    const [turn, ...more] = spliceRepair(job, place);
    expect(more).toEqual([]);
    expect(textOf(turn!.elements)).toBe('four, five, six,');
    expect(timesOf([turn!])).toEqual([
      [3, 4],
      [4, 5],
      [5, 6],
    ]);
  });

  it('drops monologues of which nothing is left', () => {
    const job = jobFrom(1, [0, 'two three', 1, 3], [1, 'four five six', 3, 6], [0, 'seven', 6, 7]);
    expect(spliceRepair(job, place).map(({ elements }) => textOf(elements))).toEqual(['four five six']);
  });

  it('has a word once that the live text has, though it reaches far into the hole', () => {
    const live = final('four', 2.8, 3.4);
    const job = jobFrom(1, [0, 'FOUR', 2.9, 3.5], [0, 'five', 3.6, 4]);
    expect(texts(spliceRepair(job, { ...place, beside: [live] }))).toEqual([[0, 'five']]);
  });

  it('keeps a word that straddles the seam where the live text has none', () => {
    const job = jobFrom(1, [0, 'two', 1, 2], [0, 'three', 2.2, 3.2], [0, 'four', 3.5, 4]);
    const live = final('two', 1, 2);
    expect(texts(spliceRepair(job, { ...place, beside: [live] }))).toEqual([
      [0, 'three'],
      [0, 'four'],
    ]);
  });

  it('leaves out a word that straddles the seam where the live text has another one', () => {
    const job = jobFrom(1, [0, 'free', 2.2, 3.2], [0, 'four', 3.5, 4]);
    expect(texts(spliceRepair(job, place))).toEqual([[0, 'four']]);
  });

  it('keeps a word that is said again in the hole', () => {
    const job = jobFrom(1, [0, 'three', 2, 3], [0, 'three', 3, 3.3]);
    expect(texts(spliceRepair(job, place))).toEqual([[0, 'three']]);
    expect(timesOf(spliceRepair(job, place))[0]![0]).toBeCloseTo(3);
  });

  it('leaves a word between two holes to the one where its middle is', () => {
    const job = jobFrom(1, [0, 'four five six', 3.2, 6.2]);
    const [left, right] = [hole(3, 4.75), hole(4.75, 6)];
    const beside: LiveEvent[] = [left, right];
    const inHole = (event: HoleEvent) => texts(spliceRepair(job, { ...event, audioTs: 1, beside }));
    expect([inHole(left), inHole(right)]).toEqual([[[0, 'four five']], [[0, 'six']]]);
  });

  it('keeps a word between two holes that the repair of the other one has not', () => {
    const [left, right] = [hole(3, 4.75), hole(4.75, 6)];
    const job = jobFrom(1, [0, 'four five six', 3.1, 6.1]);
    const withoutFive = repair(left, final('four', 3.2, 4.2));
    const withFive = repair(left, final('four five', 3.2, 5.2));
    const inRight = (other: LiveEvent) =>
      texts(spliceRepair(job, { ...right, audioTs: 1, beside: [left, right, other] }));
    expect([inRight(withoutFive), inRight(withFive)]).toEqual([[[0, 'five six']], [[0, 'six']]]);
  });

  it('keeps what has no times with the word before it', () => {
    const inaudible = { type: 'unknown', value: '<inaudible>' } as const;
    const space = { type: 'punct', value: ' ' } as const;
    const [turn] = jobFrom(1, [0, 'three four', 2, 4]).monologues;
    const [three, , four] = turn!.elements;
    const elements = [inaudible, space, three!, space, inaudible, space, four!, space, inaudible];
    const [repaired] = spliceRepair({ monologues: [{ speaker: 0, elements }] }, place);
    expect(textOf(repaired!.elements)).toBe('four <inaudible>');
  });

  it('tells speakers by whom the margins know', () => {
    const job = jobFrom(1, [0, 'seven', 6, 7], [1, 'two three four five', 1, 5], [2, 'six', 5, 6]);
    expect(texts(spliceRepair(job, place))).toEqual([
      [0, 'four five'],
      [2, 'six'],
    ]);
    expect(texts(spliceRepair(job, { ...place, speakersInUse: [0, 1, 2, 3] })).at(-1)).toEqual([4, 'six']);
  });

  it('numbers speakers from 0 where the live text tells none apart', () => {
    const job = jobFrom(1, [0, 'four', 3, 4]);
    expect(texts(spliceRepair(job, { ...place, beside: [final('one', 0, 1)] }))).toEqual([[0, 'four']]);
  });

  it('is nothing for a job that heard nothing', () => {
    expect(spliceRepair({ monologues: [] }, place)).toEqual([]);
  });
});

describe('spliceRepair, wherever a hole is', () => {
  const said = fc.array(
    fc.record({
      value: fc.constantFrom('no', 'oh', 'dog', 'dogs'),
      speaker: fc.nat({ max: 1 }),
      length: fc.integer({ min: 15, max: 60 }),
      pause: fc.constantFrom(0, 0, 5, 40),
    }),
    { minLength: 4, maxLength: 30 },
  );
  /** Words in time, in hundredths of seconds. */
  const speech = said.map(words => {
    let at = 0;
    return words.map(({ value, speaker, length, pause }) => {
      const ts = at + pause;
      at = ts + length;
      return { value, speaker, ts, endTs: at };
    });
  });
  const seconds = (hundredths: number) => hundredths / 100;

  it('gives each word of the hole once, and none of what is live', () => {
    fc.assert(
      fc.property(
        speech,
        fc.tuple(fc.nat(), fc.nat()),
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: -5, max: 5 }),
        (words, cuts, margin, shift) => {
          const end = words.at(-1)!.endTs;
          const [from, to] = cuts.map(cut => cut % end).toSorted((a, b) => a - b) as [number, number];
          const isInHole = (word: { ts: number; endTs: number }) => {
            const middle = (word.ts + word.endTs) / 2;
            return middle >= from && middle < to;
          };
          const beside = words
            .filter(word => !isInHole(word))
            .map(({ value, speaker, ts, endTs }) => final(value, seconds(ts), seconds(endTs), speaker));
          const inHole = words.filter(isInHole);
          // Times of a job differ a little; what it hears of the margins is what the live text has.
          const heard = words.filter(({ ts, endTs }) => ts >= from - margin && endTs <= to + margin);
          const audioTs = from - margin;
          const monologues = heard.map(word => {
            const moved = isInHole(word) ? 0 : shift;
            return {
              speaker: 1 - word.speaker,
              elements: [
                {
                  type: 'text',
                  value: word.value.toUpperCase(),
                  ts: seconds(word.ts - audioTs + moved),
                  endTs: seconds(word.endTs - audioTs + moved),
                } as const,
              ],
            };
          });
          const repaired = spliceRepair(
            { monologues },
            { audioTs: seconds(audioTs), ts: seconds(from), endTs: seconds(to), beside },
          );
          const expected = inHole.filter(word => heard.includes(word));
          expect(repaired.map(({ elements }) => textOf(elements).toLowerCase())).toEqual(
            expected.map(({ value }) => value),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
