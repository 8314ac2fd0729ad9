import { expect, test } from 'vitest';
import { commonErrors, worstFiles } from '../../../src/replay/report/commonErrors.ts';
import { differenceLines } from '../../../src/replay/report/differenceLines.ts';
import { alignedText, fileOf } from './exampleReport.ts';

const text = 'one two three four five six seven eight nine ten eleven twelve';

test('stretches with errors are listed, and adjacent ones are joined', () => {
  const alignment = alignedText(text, { one: 'won', five: '+well', twelve: null }, 5);
  expect(differenceLines(alignment)).toEqual([
    'REF  ONE two three four five *    six seven',
    'HYP  WON two three four five WELL six seven',
    'REF  ten eleven TWELVE',
    'HYP  ten eleven *',
  ]);
  expect(differenceLines(alignment, 1).at(-1)).toBe('and 1 more');
});

test('words are aligned by their width in a terminal, in capitals', () => {
  const alignment = alignedText('die straße dort 東京 hier so', { straße: 'gasse', 東京: '京' }, 5);
  expect(differenceLines(alignment)).toEqual([
    'REF  die STRASSE dort 東京 hier so',
    'HYP  die GASSE   dort 京   hier so',
  ]);
});

test('without errors there are no lines', () => {
  expect(differenceLines(alignedText(text, {}, 5))).toEqual([]);
  expect(differenceLines([])).toEqual([]);
});

test('errors are counted regardless of case, the most common first', () => {
  const files = [fileOf('a', alignedText('the The end end', { the: 'a', The: 'A', 'end@2': null }, 2))];
  expect(commonErrors(files)).toEqual([
    { type: 'substitution', reference: 'the', hypothesis: 'a', count: 2 },
    { type: 'deletion', reference: 'end', hypothesis: '', count: 1 },
  ]);
});

test('missing words of a failed stream are not counted', () => {
  const cut = fileOf('cut', alignedText('the end', { the: null, end: null }, 1), { failure: 'lost' });
  const whole = fileOf('whole', alignedText('the end', { end: 'and' }, 1));
  expect(commonErrors([cut, whole]).map(({ reference }) => reference)).toEqual(['end']);
});

test('the worst files are failed ones, then those with the most errors', () => {
  const files = [
    fileOf('right', alignedText('a b', {}, 1)),
    fileOf('half', alignedText('a b', { b: null }, 1)),
    fileOf('lost', [], { failure: 'lost' }),
    fileOf('wrong', alignedText('a b', { a: 'c', b: null }, 1)),
  ];
  expect(worstFiles(files).map(({ name }) => name)).toEqual(['lost', 'wrong', 'half']);
});
