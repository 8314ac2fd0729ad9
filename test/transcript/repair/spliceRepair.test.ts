import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HoleEvent, LiveEvent } from '../../../src/transcript/model/events.ts';
import { type TextElement, type Transcript, textOf } from '../../../src/transcript/model/model.ts';
import { spliceRepair } from '../../../src/transcript/repair/spliceRepair.ts';
import { final, hole, repair } from '../../helpers/transcriptEvents.ts';

/** The result of a job for audio that begins at some time: monologues as [speaker, text, ts, endTs]. */
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

  it.each([-0.25, 0.25])('puts times right that are all %d s off', shift => {
    const job = jobFrom(1, [0, 'two three, four, five, six, seven', 1 + shift, 7 + shift]);
    const [turn] = spliceRepair(job, place);
    expect(textOf(turn!.elements)).toBe('four, five, six,');
    expect(timesOf([turn!]).flat()).toEqual([3, 4, 4, 5, 5, 6].map(ts => expect.closeTo(ts)));
  });

  it('knows a word that is said again and again by what is beside it', () => {
    const live = [final('so no no', 0, 0.9), final('no more of it', 1.8, 3)];
    const job = jobFrom(0, [0, 'so no no no no no no more of it', 0.2, 3.2]);
    const hole = { audioTs: 0, ts: 0.9, endTs: 1.8 };
    expect(texts(spliceRepair(job, { ...hole, beside: live }))).toEqual([[0, 'no no no']]);
  });

  it('does not take the distance of repeated words for an offset of the times', () => {
    const live = [final('dogs', 0.05, 0.37), final('dogs', 0.42, 0.57), final('dogs', 0.62, 0.77)];
    const beside = [...live, final('no', 1.41, 1.62)];
    const outside = [[0, 'dogs', 0.39, 0.54] as const, [0, 'dogs', 0.59, 0.74] as const];
    const job = jobFrom(0.26, ...outside, [1, 'dogs', 0.74, 0.98], [0, 'no', 1.38, 1.59]);
    const inHole = spliceRepair(job, { audioTs: 0.26, ts: 0.72, endTs: 1.25, beside });
    expect(texts(inHole)).toEqual([[1, 'dogs']]);
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
    expect(textOf(repaired!.elements)).toBe('four [inaudible]');
  });

  it('identifies speakers by the words of the margins', () => {
    const job = jobFrom(1, [0, 'seven', 6, 7], [1, 'two three four five', 1, 5], [2, 'six', 5, 6]);
    expect(texts(spliceRepair(job, place))).toEqual([
      [0, 'four five'],
      [2, 'six'],
    ]);
    expect(texts(spliceRepair(job, { ...place, speakersInUse: [0, 1, 2, 3] })).at(-1)).toEqual([4, 'six']);
  });

  it('numbers speakers from 0 where the live text has none', () => {
    const job = jobFrom(1, [0, 'four', 3, 4]);
    expect(texts(spliceRepair(job, { ...place, beside: [final('one', 0, 1)] }))).toEqual([[0, 'four']]);
  });

  it('is nothing for a job that heard nothing', () => {
    expect(spliceRepair({ monologues: [] }, place)).toEqual([]);
  });
});

interface SpeakerTurn {
  readonly value: string;
  readonly speaker: number;
  /** In hundredths of seconds. */
  readonly ts: number;
  readonly endTs: number;
}

const speechOf = (value: fc.Arbitrary<string>, minLength: number) =>
  fc
    .array(
      fc.record({
        value,
        speaker: fc.nat({ max: 1 }),
        length: fc.integer({ min: 15, max: 60 }),
        pause: fc.constantFrom(0, 0, 5, 40),
      }),
      { minLength, maxLength: 30 },
    )
    .map(words => {
      let at = 0;
      return words.map(({ pause, length, ...word }): SpeakerTurn => {
        const ts = at + pause;
        at = ts + length;
        return { ...word, ts, endTs: at };
      });
    });
const seconds = (hundredths: number) => hundredths / 100;
const middleOf = ({ ts, endTs }: SpeakerTurn) => (ts + endTs) / 2;

/** The words that a splice puts into a hole, and the expected ones: the words of the hole that the job was given whole. */
function splicedAndSaid(
  words: readonly SpeakerTurn[],
  { from, to, margin }: { readonly from: number; readonly to: number; readonly margin: number },
  movedBy: (index: number) => number,
) {
  const isInHole = (word: SpeakerTurn) => middleOf(word) >= from && middleOf(word) < to;
  const beside = words
    .filter(word => !isInHole(word))
    .map(({ value, speaker, ts, endTs }) => final(value, seconds(ts), seconds(endTs), speaker));
  const audioTs = from - margin;
  const heard = words.filter(({ ts, endTs }) => ts >= audioTs && endTs <= to + margin);
  let lastTs = 0;
  const monologues = heard.map(({ value, speaker, ts, endTs }, index) => {
    // A recogniser gives words in order.
    lastTs = Math.max(lastTs, ts + movedBy(index));
    const moved = { ts: lastTs, endTs: Math.max(lastTs + 1, endTs + movedBy(index)) };
    const times = { ts: seconds(moved.ts - audioTs), endTs: seconds(moved.endTs - audioTs) };
    return {
      speaker: 1 - speaker,
      elements: [{ type: 'text', value: value.toUpperCase(), ...times } as const],
    };
  });
  const place = { audioTs: seconds(audioTs), ts: seconds(from), endTs: seconds(to), beside };
  return {
    spliced: spliceRepair({ monologues }, place).map(({ elements }) => textOf(elements).toLowerCase()),
    said: heard.filter(isInHole).map(({ value }) => value),
  };
}

describe('spliceRepair, wherever a hole is', () => {
  const cuts = fc.tuple(fc.nat(), fc.nat());
  const holeOf = (words: readonly SpeakerTurn[], cuts: readonly [number, number], margin: number) => {
    const [from, to] = cuts.map(cut => cut % words.at(-1)!.endTs).toSorted((a, b) => a - b);
    return { from: from!, to: to!, margin };
  };
  /** With words on both sides, because silence and noise there look the same. */
  const withinSpeech = (words: readonly SpeakerTurn[], [one, other]: readonly [number, number]) => {
    const [fromTs, toTs] = [words[4]!.endTs, words.at(-4)!.ts];
    const cut = (at: number) => fromTs + (at % (toTs - fromTs));
    return { from: Math.min(cut(one), cut(other)), to: Math.max(cut(one), cut(other)), margin: 200 };
  };
  const few = fc.constantFrom('no', 'oh', 'dog', 'dogs');
  /** In speech, words beside a hole are not all the same. */
  const many = speechOf(fc.constant(''), 20).map(words =>
    words.map((word, index) => ({ ...word, value: `word${index}` })),
  );

  it('gives each word of the hole once, and none of what is live', () => {
    fc.assert(
      fc.property(
        speechOf(few, 4),
        cuts,
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: -5, max: 5 }),
        (words, at, margin, shift) => {
          const { spliced, said } = splicedAndSaid(words, holeOf(words, at, margin), () => shift);
          expect(spliced).toEqual(said);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives each word once where the job gives all times up to almost 0.3 s earlier or later', () => {
    fc.assert(
      fc.property(many, cuts, fc.integer({ min: -29, max: 29 }), (words, at, shift) => {
        const { spliced, said } = splicedAndSaid(words, withinSpeech(words, at), () => shift);
        expect(spliced).toEqual(said);
      }),
      { numRuns: 500 },
    );
  });

  it('gives each word once where each word is heard up to almost 0.15 s earlier or later', () => {
    const shifts = fc.array(fc.integer({ min: -14, max: 14 }), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(many, cuts, shifts, (words, at, moved) => {
        const { spliced, said } = splicedAndSaid(words, withinSpeech(words, at), index => moved[index]!);
        expect(spliced).toEqual(said);
      }),
      { numRuns: 500 },
    );
  });
});
