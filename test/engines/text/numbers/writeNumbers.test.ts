import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberWords, ordinalWords } from '../../../../src/engines/phrases/numberWords.ts';
import { isNumberWord, ORDINALS } from '../../../../src/engines/text/numbers/cardinals.ts';
import { writeNumbers } from '../../../../src/engines/text/numbers/writeNumbers.ts';
import type { WrittenUnit } from '../../../../src/engines/text/writtenUnits.ts';

const RATE = 16_000;

/** A word every tenth of a second; a comma or full stop behind a word is its mark, `_` a pause of a second. */
function units(text: string): readonly WrittenUnit[] {
  let now = 0;
  return text.split(' ').map(word => {
    const [, value = '', mark = '', pause] = /^(.*?)([,.]?)(_?)$/.exec(word.replace(/([ap])\.m\.$/, '$1.m'))!;
    const said = value.replace(/([ap])\.m$/, '$1.m.');
    const startFrame = now * RATE;
    const endFrame = (now + 0.1) * RATE;
    now += pause ? 1.1 : 0.1;
    return { value: said, written: said, mark: mark as WrittenUnit['mark'], startFrame, endFrame };
  });
}

const texts = (written: readonly WrittenUnit[]) => written.map(unit => unit.written + unit.mark).join(' ');

describe('numbers in digits', () => {
  it.each([
    ['twenty five', '25'],
    ['i am twenty five years old', 'i am 25 years old'],
    ['one hundred', '100'],
    ['two hundred and five people', '205 people'],
    ['one thousand and one nights', '1001 nights'],
    ['two thousand and seven', '2007'],
    ['in nineteen ninety five, we', 'in 1995, we'],
    ['nineteen oh five', '1905'],
    ['eighteen twelve', '1812'],
    ['seventeen seventy six', '1776'],
    ['nineteen hundred', '1900'],
    ['twenty twenty one', '2021'],
    ['twenty five thousand', '25,000'],
    ['five hundred and twenty thousand', '520,000'],
    ['one million two hundred thousand', '1,200,000'],
    ['five million people', '5 million people'],
    ['two point five billion', '2.5 billion'],
    ['three point one four', '3.14'],
    ['five percent', '5%'],
    ['two point five per cent', '2.5%'],
    ['one hundred percent', '100%'],
    ['twenty dollars', '$20'],
    ['five million dollars', '$5 million'],
    ['twenty dollars and fifty cents', '$20.50'],
    ['two dollars five cents', '$2.05'],
    ['thirty euros', '€30'],
    ['five kilometers away', '5 kilometers away'],
    ['the twenty first century', 'the 21st century'],
    ['one hundred and third', '103rd'],
    ['one hundred and eleventh', '111th'],
    ['march twenty second', 'march 22nd'],
    ['the twenty second of march', 'the 22nd of march'],
    ['five five five one two one two', '5551212'],
    ['nine oh two one oh', '90210'],
    ['at ten thirty p m', 'at 10:30 p.m.'],
    ['at ten oh five a.m.', 'at 10:05 a.m.'],
    ['five p.m.', '5 p.m.'],
    ['two hundred and five hundred', '200 and 500'],
    ['two thousand twenty four', '2024'],
    ['three hundred sixty five days', '365 days'],
    ['fifteen hundred', '1500'],
    ['zero point five', '0.5'],
    ['ninety nine point nine percent', '99.9%'],
    ['chapter twenty one', 'chapter 21'],
    ['one million', '1 million'],
    ['the thirty first', 'the 31st'],
    ['twenty twenty', '2020'],
    ['twelve oh five a m', '12:05 a.m.'],
    ['one hundred twenty three thousand four hundred and fifty six', '123,456'],
    ['five hundred dollars and two dollars', '$500 and $2'],
  ])('writes "%s" as "%s"', (said, written) => {
    expect(texts(writeNumbers(units(said), { sampleRate: RATE }))).toBe(written);
  });

  it.each([
    ...['no one knows', 'one of them', 'one or two', 'just a second', 'wait a second', 'a hundred'],
    ...['zero', 'hundreds of thousands', 'one two three', 'one two three four five'],
    ...['five four three two one', 'ten four', 'fifty fifty', 'twenty four seven', 'nine to five'],
    ...['nine eleven', 'one third', 'two thirds', 'first one', 'a twenty second delay'],
    ...['twenty five second delay', 'the one hundred twenty five thirty', 'ten thirty', 'twenty thirty'],
    ...['eighteen nineteen', 'point five', 'at one point five of us left', 'two and two', 'million'],
    ...['one on one', 'a thousand and one', 'for once second to none', 'two_ hundred', 'twenty, five'],
    ...['oh my', 'twenty twenty vision', 'nine one one', 'ten to fifteen', 'a hundred dollars'],
    ...['one dollar', 'a million', 'seven seven thirty', 'twenty five first graders', 'quarter past ten'],
    ...['one in a million', 'double oh seven', 'ten ten', 'the nineteen nineties'],
    ...['eight hundred five five five one two one two', 'two feet', 'five dollar bill', 'a m'],
    ...['i am five am i', 'ninety one oh oh ninety one'],
    ...['a hundred and twenty five', 'a hundred and fifty dollars', 'a thousand and twenty first'],
    ...['a million and five hundred thousand', 'a hundred and one hundred and twenty five'],
    ...['point five percent', 'point five million dollars', 'one point twenty five'],
    ...['one point two point three', 'point oh twenty five'],
  ])('keeps "%s"', said => {
    expect(writeNumbers(units(said), { sampleRate: RATE })).toEqual(units(said));
  });

  it('keeps a possible part of a number that a final cut', () => {
    const cut = (said: string, options: { before?: string[]; goesOn?: boolean }) =>
      texts(writeNumbers(units(said), { sampleRate: RATE, ...options }));
    expect(cut('it was twenty one in nineteen ninety', { goesOn: true })).toBe(
      'it was 21 in nineteen ninety',
    );
    expect(cut('five hundred of twenty one', { before: ['ninety'] })).toBe('five hundred of 21');
    expect(cut('five hundred', { before: ['about'] })).toBe('500');
    expect(cut('five hundred', { before: ['ninety'] })).toBe('five hundred');
    expect(cut('two or one hundred and', { goesOn: true })).toBe('two or one hundred and');
    expect(cut('it costs twenty dollars and', { goesOn: true })).toBe('it costs twenty dollars and');
    expect(cut('twenty five thousand people', { before: ['hundred', 'and'] })).toBe(
      'twenty five thousand people',
    );
    expect(cut('five percent', { before: ['two', 'point'] })).toBe('five percent');
    expect(cut('five percent', { before: ['you', 'and'] })).toBe('5%');
  });

  it('keeps the words of a phrase', () => {
    const phrase = units('forty two').map(unit => ({ ...unit, spelling: unit.value }));
    expect(writeNumbers(phrase, { sampleRate: RATE })).toEqual(phrase);
  });

  it('gives a number the time of all its words, their lowest confidence and the last mark', () => {
    const said = units('twenty five percent, yes').map((unit, index) => ({
      ...unit,
      confidence: 0.9 - index / 10,
    }));
    const [number, yes] = writeNumbers(said, { sampleRate: RATE });
    expect(number).toMatchObject({ written: '25%', mark: ',', startFrame: 0, endFrame: said[2]!.endFrame });
    expect(number!.confidence).toBeCloseTo(0.7);
    expect(yes).toEqual(said[3]);
    const [unsure] = writeNumbers([said[0]!, units('twenty five')[1]!], { sampleRate: RATE });
    expect(unsure).not.toHaveProperty('confidence');
  });

  it('reads back every number below 1000 and every year from 1600 to 2029, except when counting', () => {
    const counting = [1617, 1718, 1819];
    const wrong: string[] = [];
    const years = Array.from({ length: 430 }, (_, index) => 1600 + index);
    for (const number of [...Array(1000).keys(), ...years]) {
      const said = numberWords(String(number));
      const written = texts(writeNumbers(units(said.join(' ')), { sampleRate: RATE }));
      const isLeft = said.length < 2 || counting.includes(number);
      if (written !== (isLeft ? said.join(' ') : String(number))) wrong.push(`${said.join(' ')}: ${written}`);
    }
    expect(wrong).toEqual([]);
  });

  it('reads every ordinal from 21st to 999th back, except "second"', () => {
    for (let number = 21; number < 1000; number++) {
      const said = ordinalWords(String(number));
      const ones = said.at(-1)!;
      if (said.length < 2 || !ORDINALS.has(ones) || ones === 'second') continue;
      expect(Number.parseInt(texts(writeNumbers(units(said.join(' ')), { sampleRate: RATE })), 10)).toBe(
        number,
      );
    }
  });

  it('never changes other words, nor loses time', () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...['one', 'five', 'twenty', 'ninety', 'hundred', 'thousand', 'and', 'point', 'oh', 'percent'],
        ...['dollars', 'cents', 'first', 'second', 'p', 'm', 'the', 'march', 'meters', 'a', 'million'],
      ),
      fc.stringMatching(/^[a-z]{1,6}$/),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), words => {
        const said = units(words.join(' '));
        const written = writeNumbers(said, { sampleRate: RATE });
        expect(written.map(({ value }) => value).join(' ')).toBe(words.join(' '));
        expect(written[0]!.startFrame).toBe(said[0]!.startFrame);
        expect(written.at(-1)!.endFrame).toBe(said.at(-1)!.endFrame);
        for (const [index, unit] of written.entries()) {
          if (index > 0) expect(unit.startFrame).toBeGreaterThanOrEqual(written[index - 1]!.endFrame);
          const isNumber = unit.value.split(' ').some(value => isNumberWord(value) || value === 'm');
          if (!isNumber) expect(unit.written).toBe(unit.value);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('never writes a part of what may be one number, such as "19 90 9" or "a hundred and 25"', () => {
    const numbers = [
      ...[
        'one',
        'two',
        'five',
        'nine',
        'ten',
        'nineteen',
        'twenty',
        'thirty',
        'ninety',
        'hundred',
        'thousand',
      ],
    ];
    const word = fc.constantFrom(...numbers, 'oh', 'and', 'point', 'a');
    const begun = new RegExp(`\\b(\\d+|point|(hundred|thousand) and|${numbers.join('|')}) \\d`);
    const goesOn = new RegExp(`\\d (point|${numbers.join('|')})\\b`);
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 7 }), words => {
        const text = texts(writeNumbers(units(words.join(' ')), { sampleRate: RATE }));
        // Such as "1.5 thousand".
        const whole = text.replaceAll(/(\.\d+) thousand\b/g, '$1');
        expect(whole).not.toMatch(begun);
        expect(whole).not.toMatch(goesOn);
      }),
      { numRuns: 2000 },
    );
  });
});
