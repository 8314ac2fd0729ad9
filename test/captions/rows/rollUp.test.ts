import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addNotice,
  addWords,
  clearRows,
  emptyRollUp,
  endsInNotice,
  fittingTail,
  rowTexts,
  setWording,
  takeSettled,
} from '../../../src/captions/rows/rollUp.ts';
import type { CaptionWord } from '../../../src/captions/words/captionWord.ts';
import { textWidth } from '../../../src/transcript/text/textWidth.ts';

const shape = { columns: 10, rows: 2 };
const wordsOf = (text: string, from = 0): CaptionWord[] =>
  text.split(' ').map((text, index) => ({ id: from + index, text }));
const wording = (text: string, from = 0) => new Map(wordsOf(text, from).map(({ id, text }) => [id, text]));

describe('addWords', () => {
  it('fills the bottom row and moves whole rows up', () => {
    let state = addWords(emptyRollUp, wordsOf('one two'), shape);
    expect(rowTexts(state)).toEqual(['one two']);
    state = addWords(state, wordsOf('six three', 2), shape);
    expect(rowTexts(state)).toEqual(['one two', 'six three']);
    state = addWords(state, wordsOf('a', 4), shape);
    expect(rowTexts(state)).toEqual(['six three', 'a']);
  });

  it('uses a row to its last column, where full-width characters take two', () => {
    expect(rowTexts(addWords(emptyRollUp, wordsOf('12345 6789 \u4f60\u597d \u4f60\u597dx'), shape))).toEqual([
      '12345 6789',
      '\u4f60\u597d \u4f60\u597dx',
    ]);
  });

  it('cuts a word that is wider than a row', () => {
    const state = addWords(emptyRollUp, wordsOf('abcdefghijklm no'), shape);
    expect(rowTexts(state)).toEqual(['abcdefghij', 'klm no']);
    expect(takeSettled(clearRows(setWording(state, wording('Abcdefghijklm, no.')))).lines).toEqual([
      'Abcdefghijklm,',
      'no.',
    ]);
  });

  it('begins a row for another speaker', () => {
    const turn = { id: 1, text: 'b', opensTurn: true };
    expect(rowTexts(addWords(emptyRollUp, [...wordsOf('a'), turn], shape))).toEqual(['a', '>> b']);
  });

  it('shows a correction while the wrong word can be seen, and no longer', () => {
    const correction: CaptionWord = { id: 9, text: '-- cat', corrects: 0 };
    const state = addWords(emptyRollUp, wordsOf('bat'), shape);
    expect(rowTexts(addWords(state, [correction], shape))).toEqual(['bat -- cat']);
    const later = addWords(state, wordsOf('1234567890 1234567890', 1), shape);
    expect(rowTexts(addWords(later, [correction], shape))).toEqual(['1234567890', '1234567890']);
  });
});

describe('a correction that stands apart', () => {
  const aside = (id: number, text: string): CaptionWord => ({ id, text, corrects: 0, aside: true });
  const state = addWords(emptyRollUp, [...wordsOf('a')], shape);

  it('follows what was said, and is followed by other corrections only', () => {
    const corrected = addWords(state, [aside(1, '-- b'), aside(2, '-- c')], { ...shape, columns: 20 });
    expect(rowTexts(corrected)).toEqual(['a -- b -- c']);
    expect(fittingTail(corrected, ['d'], 20)).toBe('');
    expect(rowTexts(addWords(corrected, wordsOf('d', 3), { ...shape, columns: 20 }))).toEqual([
      'a -- b -- c',
      'd',
    ]);
  });
});

describe('takeSettled', () => {
  it('gives rows that left the screen once their words are final, as they read in the transcript', () => {
    let state = addWords(emptyRollUp, wordsOf('one two six three a'), shape);
    expect(takeSettled(state).lines).toEqual([]);
    state = setWording(state, wording('One, two.'));
    const settled = takeSettled(state);
    expect(settled.lines).toEqual(['One, two.']);
    expect(takeSettled(settled.state).lines).toEqual([]);
    expect(rowTexts(settled.state)).toEqual(['six three', 'a']);
  });

  it('keeps rows in order: a final row waits for one before it', () => {
    const state = setWording(
      clearRows(addWords(emptyRollUp, wordsOf('one two six three'), shape)),
      wording('Six three', 2),
    );
    expect(takeSettled(state).lines).toEqual([]);
    expect(takeSettled(setWording(state, wording('One two'))).lines).toEqual(['One two', 'Six three']);
  });

  it('gives rows that were never final as they were shown, when that is asked for', () => {
    const state = clearRows(addWords(emptyRollUp, wordsOf('one two'), shape));
    expect(takeSettled(state, { all: true }).lines).toEqual(['one two']);
  });

  it('begins a line with each turn, and leaves out rows without words', () => {
    const state = clearRows(addWords(emptyRollUp, wordsOf('one two um'), shape));
    const settledAs = (...texts: string[]) => takeSettled(setWording(state, new Map(texts.entries()))).lines;
    expect(settledAs('One?', '>> Two.', '')).toEqual(['One?', '>> Two.']);
    expect(settledAs('', '', '')).toEqual([]);
  });
});

describe('addNotice', () => {
  it('stands alone: nothing joins it', () => {
    const state = addNotice(addWords(emptyRollUp, wordsOf('one'), shape), '[note]', shape);
    expect(rowTexts(state)).toEqual(['one', '[note]']);
    expect(endsInNotice(state)).toBe(true);
    expect(fittingTail(state, ['a'], 10)).toBe('');
    const later = addWords(state, wordsOf('two', 1), shape);
    expect(rowTexts(later)).toEqual(['[note]', 'two']);
    expect(endsInNotice(later)).toBe(false);
  });

  it('takes as many rows as it needs', () => {
    expect(rowTexts(addNotice(emptyRollUp, '[captions paused]', shape))).toEqual(['[captions', 'paused]']);
  });
});

describe('fittingTail', () => {
  it('gives the words that fit after the bottom row', () => {
    const state = addWords(emptyRollUp, wordsOf('one'), shape);
    expect(fittingTail(state, ['two', 'a', 'b'], 10)).toBe('two a');
    expect(fittingTail(state, ['twotwo', 'a'], 10)).toBe('twotwo');
    expect(fittingTail(state, ['twotwos', 'a'], 10)).toBe('');
    expect(fittingTail(emptyRollUp, ['1234567890'], 10)).toBe('1234567890');
    expect(fittingTail(emptyRollUp, [], 10)).toBe('');
  });
});

describe('roll-up rows, whatever the words', () => {
  it('never change or move a word but with its whole row', () => {
    const text = fc.constantFrom('a', 'of', 'word', 'sentence', 'extraordinarily-long', '\u4f60\u597d', '>>');
    const batches = fc.array(fc.array(fc.record({ text, opensTurn: fc.boolean() }), { maxLength: 5 }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        batches,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 3 }),
        (list, columns, rows) => {
          let state = emptyRollUp;
          let id = 0;
          let gone = 0;
          for (const batch of list) {
            const before = rowTexts(state);
            state = addWords(
              state,
              batch.map(word => ({ ...word, id: id++ })),
              { columns, rows },
            );
            const after = rowTexts(state);
            const left = state.left.length - gone;
            gone = state.left.length;
            expect(after.length).toBeLessThanOrEqual(rows);
            for (const row of after) expect(textWidth(row)).toBeLessThanOrEqual(Math.max(columns, 2));
            before.slice(left).forEach((row, index, kept) => {
              if (index < kept.length - 1) expect(after[index]).toBe(row);
              else expect(after[index]!.startsWith(row)).toBe(true);
            });
          }
          const { lines } = takeSettled(clearRows(state), { all: true });
          const words = list.flat().map(word => (word.opensTurn ? `>> ${word.text}` : word.text));
          if (columns > '>> extraordinarily-long'.length) expect(lines.join(' ')).toBe(words.join(' '));
        },
      ),
    );
  });
});
