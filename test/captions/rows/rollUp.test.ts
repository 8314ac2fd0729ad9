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

const shape = { columns: 10, rows: 2 };
const wordsOf = (text: string, from = 0): CaptionWord[] =>
  text.split(' ').map((text, index) => ({ id: from + index, text }));
const wording = (text: string, from = 0) => new Map(wordsOf(text, from).map(({ id, text }) => [id, text]));

it('knows the last settled word of typed text before a notice', () => {
  const typed = wordsOf('by hand').map(word => ({ ...word, ts: 2 }));
  const shown = setWording(addWords(emptyRollUp, typed, shape), wording('by hand'));
  const { state, lines } = takeSettled(clearRows(addNotice(shown, '[paused]', shape)));
  expect([lines, state.settledTs]).toEqual([['by hand', '[paused]'], 2]);
});

describe('addWords', () => {
  it.each<[title: string, words: readonly CaptionWord[], rows: readonly string[]]>([
    ['fills the bottom row', wordsOf('one two'), ['one two']],
    ['begins another row', wordsOf('one two six three'), ['one two', 'six three']],
    ['moves whole rows up', wordsOf('one two six three a'), ['six three', 'a']],
    [
      'uses a row to its last column, where full-width characters take two',
      wordsOf('12345 6789 \u4f60\u597d \u4f60\u597dx'),
      ['12345 6789', '\u4f60\u597d \u4f60\u597dx'],
    ],
    ['cuts a word that is wider than a row', wordsOf('abcdefghijklm no'), ['abcdefghij', 'klm no']],
    [
      'begins a row for another speaker',
      [...wordsOf('a'), { id: 1, text: 'b', opensTurn: true }],
      ['a', '>> b'],
    ],
  ])('%s', (_, words, rows) => {
    expect(rowTexts(addWords(emptyRollUp, words, shape))).toEqual(rows);
  });

  it('settles a word that was cut as one', () => {
    const state = addWords(emptyRollUp, wordsOf('abcdefghijklm no'), shape);
    expect(takeSettled(clearRows(setWording(state, wording('Abcdefghijklm, no.')))).lines).toEqual([
      'Abcdefghijklm,',
      'no.',
    ]);
  });

  it('shows a correction while the wrong word can be seen, and no longer', () => {
    const correction: CaptionWord = { id: 9, text: '-- cat', corrects: 0 };
    const state = addWords(emptyRollUp, wordsOf('bat'), shape);
    expect(rowTexts(addWords(state, [correction], shape))).toEqual(['bat -- cat']);
    const later = addWords(state, wordsOf('1234567890 1234567890', 1), shape);
    expect(rowTexts(addWords(later, [correction], shape))).toEqual(['1234567890', '1234567890']);
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
