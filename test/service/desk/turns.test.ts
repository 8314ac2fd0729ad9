import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transcriptOf, turnsOf } from '../../../src/service/desk/turns.ts';
import { type Transcript, textOf } from '../../../src/transcript/model/model.ts';
import { elementsOfText } from '../../../src/transcript/text/tokens.ts';

const ALL = [{ start: 0, end: 100_000 }];

/** Gives each word a second of its own. */
function spoken(texts: readonly string[]): Transcript {
  let at = 0;
  return {
    monologues: texts.map((text, speaker) => ({
      speaker,
      elements: elementsOfText(text).map(element =>
        element.type === 'text' ? { ...element, ts: at, endTs: ++at, confidence: 0.5 } : element,
      ),
    })),
  };
}

const wordsOf = ({ monologues }: Transcript) =>
  monologues.flatMap(({ elements }) =>
    elements.flatMap(element =>
      element.type === 'text' ? [[element.value, element.ts, element.endTs]] : [],
    ),
  );

describe('turns', () => {
  const text = fc
    .array(
      fc.constantFrom('Yes', 'no', "don't", 'Ada,', '(well)', 'end.', '“Quoted”', 'São', 'مرحبا', '—', '3:4'),
      {
        minLength: 1,
        maxLength: 400,
      },
    )
    .map(words => words.join(' '))
    .filter(words => /\p{L}/u.test(words));

  test('keep text and times of all words', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), texts => {
        const transcript = spoken(texts);
        const turns = turnsOf(transcript, ALL);
        for (const { text: line, words } of turns) {
          expect(line).toBe(line.trim());
          expect(line.length).toBeLessThan(1100);
          for (const [from, to] of words) expect(line.slice(from, to)).not.toMatch(/^\s|\s$|^$/);
        }
        const again = transcriptOf(turns);
        expect(wordsOf(again)).toEqual(wordsOf(transcript));
        expect(again.monologues.map(({ elements }) => textOf(elements))).toEqual(
          transcript.monologues.map(({ elements }) => textOf(elements).trim()),
        );
      }),
    );
  });

  test('have the words within segments only, and begin anew at each', () => {
    const transcript = spoken(['One two, three. Four five six.']);
    const segments = [
      { start: 1, end: 2 },
      { start: 3, end: 5 },
    ];
    expect(turnsOf(transcript, segments).map(turn => turn.text)).toEqual(['two,', 'Four five']);
  });

  test('have times only for words that are as they were', () => {
    const turn = { speaker: 2, text: 'Good-bye New York [inaudible], friend', words: [] };
    const words: [number, number, number, number][] = [
      [0, 4, 0, 1],
      [9, 17, 1, 2],
      [31, 37, 3, 4],
      [31, 34, 3, 4],
    ];
    const elements = transcriptOf([{ ...turn, words: words.slice(0, 3) }]).monologues[0]!.elements;
    expect(elements.filter(({ type }) => type !== 'punct')).toEqual([
      { type: 'text', value: 'Good-bye' },
      { type: 'text', value: 'New York', ts: 1, endTs: 2 },
      { type: 'unknown', value: '<inaudible>' },
      { type: 'text', value: 'friend', ts: 3, endTs: 4 },
    ]);
    const cut = transcriptOf([{ ...turn, words: [words[3]!] }]).monologues[0]!.elements;
    expect(cut.at(-1)).toEqual({ type: 'text', value: 'friend' });
  });

  test('have times after a mark that has the same words', () => {
    const words: [number, number, number, number][] = [
      [22, 25, 1, 2],
      [26, 29, 2, 3],
    ];
    const turn = { speaker: 0, text: '[inaudible: the dog]  the dog', words };
    expect(transcriptOf([turn]).monologues[0]!.elements).toEqual([
      { type: 'unknown', value: '<inaudible>' },
      { type: 'punct', value: ' ' },
      { type: 'text', value: 'the', ts: 1, endTs: 2 },
      { type: 'punct', value: ' ' },
      { type: 'text', value: 'dog', ts: 2, endTs: 3 },
    ]);
    const over = {
      speaker: 0,
      text: 'Hello, you',
      words: [[0, 10, 0, 1]] as [[number, number, number, number]],
    };
    expect(textOf(transcriptOf([over]).monologues[0]!.elements)).toBe('Hello, you');
    expect(transcriptOf([over]).monologues[0]!.elements[0]).toEqual({ type: 'text', value: 'Hello' });
  });

  test('of one speaker become one turn of the transcript', () => {
    const turns = [0, 0, 1, 0].map((speaker, index) => ({ speaker, text: `Line ${index}.`, words: [] }));
    const { monologues } = transcriptOf([...turns, { speaker: 3, text: ' ', words: [] }]);
    expect(monologues.map(({ speaker, elements }) => [speaker, textOf(elements)])).toEqual([
      [0, 'Line 0. Line 1.'],
      [1, 'Line 2.'],
      [0, 'Line 3.'],
    ]);
  });
});
