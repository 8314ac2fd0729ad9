import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberWords, ordinalWords } from '../../../../src/engines/phrases/numberWords.ts';
import { isNumberWord, ORDINALS } from '../../../../src/engines/text/numbers/cardinals.ts';
import { writeNumbers } from '../../../../src/engines/text/numbers/writeNumbers.ts';
import type { WrittenUnit } from '../../../../src/engines/text/writtenUnits.ts';
import numbers from './numbers.json' with { type: 'json' };

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
  it.each(Object.entries(numbers.written))('writes "%s" as "%s"', (said, written) => {
    expect(texts(writeNumbers(units(said), { sampleRate: RATE }))).toBe(written);
  });

  it.each(numbers.kept)('keeps "%s"', said => {
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
    expect(unsure!.confidence).toBeUndefined();
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
    const words = 'one two five nine ten nineteen twenty thirty ninety hundred thousand'.split(' ');
    const word = fc.constantFrom(...words, 'oh', 'and', 'point', 'a');
    const begun = new RegExp(`\\b(\\d+|point|(hundred|thousand) and|${words.join('|')}) \\d`);
    const goesOn = new RegExp(`\\d (point|${words.join('|')})\\b`);
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 7 }), said => {
        const text = texts(writeNumbers(units(said.join(' ')), { sampleRate: RATE }));
        // Such as "1.5 thousand".
        const whole = text.replaceAll(/(\.\d+) thousand\b/g, '$1');
        expect(whole).not.toMatch(begun);
        expect(whole).not.toMatch(goesOn);
      }),
      { numRuns: 2000 },
    );
  });
});
