import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reference } from '../../../src/replay/reference/reference.ts';
import { unicodeRules } from '../../../src/replay/rules/unicodeRules.ts';
import { transcriptWords } from '../../../src/replay/score/alignTexts.ts';
import { tokenErrors } from '../../../src/replay/score/errorCounts.ts';
import { scoreTranscript } from '../../../src/replay/score/scoreTranscript.ts';
import { type Transcript, type TranscriptElement, textOf } from '../../../src/transcript/model/model.ts';
import { elementsOfText } from '../../../src/transcript/text/tokens.ts';
import { smallRules, spaceRules } from './testRules.ts';

const saidBy = (
  ...segments: readonly (readonly [speaker: string | undefined, text: string])[]
): Reference => ({
  kind: 'text',
  segments: segments.map(([speaker, text]) => ({ text, ...(speaker !== undefined && { speaker }) })),
});

/** Returns a transcript in which each word takes a second, from 0 on. */
function heardAs(...texts: readonly string[]): Transcript {
  let second = 0;
  return {
    monologues: texts.map((text, speaker) => ({
      speaker,
      elements: elementsOfText(text).map(element =>
        element.type === 'text' ? { ...element, ts: second, endTs: ++second } : element,
      ),
    })),
  };
}

const score = (reference: Reference, transcript: Transcript) =>
  scoreTranscript({ reference, transcript, rules: smallRules });

describe('the score of a transcript', () => {
  test('has words as written, with the times of the hypothesis', () => {
    const { alignment, words } = score(
      saidBy([undefined, 'The Dog, she barks.']),
      heardAs('the frog she, um, BARKS!'),
    );
    expect(alignment).toEqual([
      { type: 'hit', reference: 'The', hypothesis: 'the', ts: 0, endTs: 1 },
      { type: 'substitution', reference: 'Dog', hypothesis: 'frog', ts: 1, endTs: 2 },
      { type: 'hit', reference: 'she', hypothesis: 'she', ts: 2, endTs: 3 },
      { type: 'insertion', hypothesis: 'um', ts: 3, endTs: 4 },
      { type: 'hit', reference: 'barks', hypothesis: 'BARKS', ts: 4, endTs: 5 },
    ]);
    expect(words).toEqual({ tokens: 4, hits: 3, substitutions: 1, deletions: 0, insertions: 1 });
  });

  test('has the times of a reference, if it has any', () => {
    const segments = [
      { text: 'the dog', ts: 10, endTs: 17 },
      { text: 'barks', ts: 18, endTs: 19 },
      { text: 'then' },
    ];
    const { alignment } = score({ kind: 'json', segments }, heardAs('the', 'barks'));
    expect(alignment.map(({ referenceTs, referenceEndTs }) => [referenceTs, referenceEndTs])).toEqual([
      [10, 13],
      [14, 17],
      [18, 19],
      [undefined, undefined],
    ]);
  });

  test('gives two written words that are compared as one their joint time, and splits one that is compared as two', () => {
    const { alignment } = score(saidBy([undefined, "Don't take 21"]), heardAs('do not take Twenty one'));
    expect(alignment).toEqual([
      { type: 'hit', reference: 'do', hypothesis: 'do', ts: 0, endTs: 1 },
      { type: 'hit', reference: 'not', hypothesis: 'not', ts: 1, endTs: 2 },
      { type: 'hit', reference: 'take', hypothesis: 'take', ts: 2, endTs: 3 },
      { type: 'hit', reference: '21', hypothesis: 'Twenty one', ts: 3, endTs: 5 },
    ]);
  });

  test('reads several segments of one speaker as one text', () => {
    const reference = saidBy(['A', 'it is twenty'], ['A', 'one now'], ['B', 'yes']);
    const pieces: Transcript = {
      monologues: ['it is twenty', 'one now'].map(text => ({ speaker: 0, elements: elementsOfText(text) })),
    };
    expect(score(reference, heardAs('it is 21 now yes')).words).toMatchObject({
      tokens: 5,
      hits: 5,
      insertions: 0,
    });
    expect(score(saidBy([undefined, 'it is 21 now']), pieces).words).toMatchObject({
      hits: 4,
      insertions: 0,
    });
  });

  test('reads turns of several speakers as one text, because a transcript may have other turns', () => {
    const reference = saidBy(['A', 'it is twenty'], ['B', 'one people']);
    const { words, alignment } = score(reference, heardAs('it is twenty one people'));
    expect(words).toMatchObject({ tokens: 4, hits: 4, insertions: 0 });
    expect(alignment.map(({ reference, speaker }) => [reference, speaker])).toEqual([
      ['it', 'A'],
      ['is', 'A'],
      ['twenty one', 'A'],
      ['people', 'B'],
    ]);
    expect(score(saidBy(['A', 'it is twenty one']), heardAs('it is twenty', 'one')).words.hits).toBe(3);
  });

  test('does not pair brackets of different segments', () => {
    const reference = saidBy([undefined, 'one ('], [undefined, 'two three'], [undefined, 'four) [x] five']);
    const input = {
      reference,
      transcript: heardAs('one', '(two three', 'four) five'),
      rules: unicodeRules(),
    };
    expect(scoreTranscript(input).words).toMatchObject({ tokens: 5, hits: 5, insertions: 0 });
  });

  test('assigns insertions to the speaker and segment of the word before them, or of the first', () => {
    const reference = saidBy(['Ann', 'good morning'], ['Bob', 'hello there'], ['Ann', 'well']);
    const { speakers, alignment } = score(reference, heardAs('oh good morning uh hello bear', 'well okay'));
    expect(speakers).toEqual([
      {
        speaker: 'Ann',
        wer: 1,
        words: { tokens: 3, hits: 3, substitutions: 0, deletions: 0, insertions: 3 },
      },
      {
        speaker: 'Bob',
        wer: 0.5,
        words: { tokens: 2, hits: 1, substitutions: 1, deletions: 0, insertions: 0 },
      },
    ]);
    expect(alignment.map(({ speaker }) => speaker?.[0]).join('')).toBe('AAAABBAA');
  });

  test('leaves out speakers that the reference does not name', () => {
    expect(score(saidBy([undefined, 'one two']), heardAs('one two')).speakers).toEqual([]);
    const partly = score(saidBy([undefined, 'one'], ['Ann', 'two']), heardAs('two'));
    expect(partly.speakers.map(({ speaker, words }) => [speaker, words.tokens])).toEqual([['Ann', 1]]);
  });

  test('has segments that depend on the reference alone, and errors that add up', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 70 });
    fc.assert(
      fc.property(words, words, words, (said, heard, otherwise) => {
        const reference = saidBy(['A', said.slice(0, 15).join(' ')], ['B', said.slice(15).join(' ')]);
        const one = score(reference, heardAs(heard.join(' ')));
        const other = score(reference, heardAs(otherwise.join(' ')));
        const tokensOf = ({ segments }: typeof one) => segments.map(({ tokens }) => tokens);
        const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
        expect(tokensOf(one)).toEqual(tokensOf(other));
        expect(tokensOf(one).length).toBe(Math.max(1, Math.ceil(said.length / 20)));
        expect(
          tokensOf(one)
            .slice(0, -1)
            .every(count => count === 20),
        ).toBe(true);
        expect({ tokens: sum(tokensOf(one)), errors: sum(one.segments.map(({ errors }) => errors)) }).toEqual(
          tokenErrors(one.words),
        );
        if (said.length > 0)
          expect(sum(one.speakers.map(each => tokenErrors(each.words).errors))).toBe(
            tokenErrors(one.words).errors,
          );
      }),
    );
  });

  test('is defined without any words', () => {
    const nothing = saidBy([undefined, ' … ']);
    expect(score(nothing, { monologues: [] })).toEqual({
      words: { tokens: 0, hits: 0, substitutions: 0, deletions: 0, insertions: 0 },
      characters: { tokens: 0, errors: 0 },
      alignment: [],
      segments: [{ tokens: 0, errors: 0 }],
      speakers: [],
    });
    expect(score(nothing, heardAs('oh no'))).toMatchObject({
      words: { tokens: 0, insertions: 2 },
      characters: { tokens: 0, errors: 5 },
      segments: [{ tokens: 0, errors: 2 }],
    });
    expect(score(saidBy(['Ann', 'oh no']), { monologues: [] })).toMatchObject({
      words: { tokens: 2, deletions: 2 },
      speakers: [{ speaker: 'Ann', wer: 1 }],
    });
  });

  test('counts the characters of the normalized words', () => {
    const { characters } = score(saidBy([undefined, 'The dog']), heardAs('the FOG'));
    expect(characters).toEqual({ tokens: 7, errors: 1 });
  });
});

describe('words of a transcript', () => {
  const element: fc.Arbitrary<TranscriptElement> = fc.oneof(
    fc.record({
      type: fc.constant('text' as const),
      value: fc.constantFrom('a', 'New York', 'b.c', '𝒳', ''),
    }),
    fc.record({ type: fc.constant('punct' as const), value: fc.constantFrom(' ', ', ', '.', '  ') }),
    fc.record({ type: fc.constant('unknown' as const), value: fc.constant('<inaudible>') }),
  );

  test('are those of its text without inaudible speech, one monologue after another', () => {
    fc.assert(
      fc.property(fc.array(fc.array(element, { maxLength: 8 }), { maxLength: 3 }), lists => {
        const transcript = { monologues: lists.map(elements => ({ speaker: 0, elements })) };
        const text = lists.map(list => textOf(list.filter(({ type }) => type !== 'unknown'))).join('\n');
        expect(transcriptWords(transcript, spaceRules).map(({ word }) => word)).toEqual(
          spaceRules.words(text).map(({ word }) => word),
        );
      }),
    );
  });

  test('have no times when their elements have none', () => {
    const elements: TranscriptElement[] = [
      { type: 'text', value: 'one', ts: 1, endTs: 2 },
      { type: 'text', value: 'two' },
      { type: 'text', value: '', ts: 2, endTs: 3 },
      { type: 'text', value: 'three', ts: 3 },
    ];
    expect(transcriptWords({ monologues: [{ speaker: 0, elements }] }, spaceRules)).toEqual([
      { word: 'one', shown: 'one', ts: 1, endTs: 2 },
      { word: 'two', shown: 'two' },
      { word: 'three', shown: 'three', ts: 3, endTs: 3 },
    ]);
  });

  test('share the time of one element by their characters', () => {
    const elements: TranscriptElement[] = [{ type: 'text', value: 'in Paris', ts: 1, endTs: 5 }];
    expect(transcriptWords({ monologues: [{ speaker: 0, elements }] }, spaceRules)).toEqual([
      { word: 'in', shown: 'in', ts: 1, endTs: 2 },
      { word: 'Paris', shown: 'Paris', ts: 2.5, endTs: 5 },
    ]);
  });
});
