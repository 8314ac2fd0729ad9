import {
  CURRENCIES,
  cardinalWords,
  digitWords,
  numberWords,
  ordinalWords,
  SCALES,
} from '../phrases/numberWords.ts';
import { readPhrase, type SpokenWord } from '../phrases/readPhrase.ts';

/** One way to say a word, as single spoken words. */
export type SpokenForm = readonly SpokenWord[];

/**
 * Returns the ways to say a word that the dictionary does not contain as written; empty when it cannot be
 * said.
 */
export function spokenForms(written: string): readonly SpokenForm[] {
  const numbers = numberForms(written);
  if (numbers.length > 0) return numbers.map(words => words.map(value => ({ value })));
  const read = readPhrase(written);
  return 'tokens' in read ? [read.tokens.flatMap(({ words }) => words)] : [];
}

type Words = readonly string[];
type Forms = readonly Words[];

/** Longer numbers are read digit by digit. */
const MAX_DIGITS = 15;

/** Notations of numbers with their spoken forms; the first match counts. */
const KINDS: readonly { readonly pattern: RegExp; readonly forms: (...parts: string[]) => Forms }[] = [
  { pattern: /^(\d+)$/, forms: wholeForms },
  { pattern: /^(\d*)\.(\d+)$/, forms: decimalForms },
  { pattern: /^(\d*\.?\d+)%$/, forms: number => after(numberForms(number), ['percent']) },
  { pattern: /^([$€£])(\d+)$/, forms: moneyForms },
  { pattern: /^([$€£])(\d+)\.(\d\d)$/, forms: centForms },
  { pattern: /^(\d+)(?:st|nd|rd|th)$/i, forms: digits => [ordinalWords(digits)] },
  { pattern: /^(\d+)['’]?s$/, forms: digits => wholeForms(digits).map(plural) },
  { pattern: /^(\d\d?):(\d\d)$/, forms: timeForms },
  { pattern: /^(\d+)[-–—](\d+)$/, forms: rangeForms },
];

/**
 * Returns the ways to say a number, likeliest first; empty for other words.
 *
 * @example
 * numberForms('21st') // [['twenty', 'first']]
 */
export function numberForms(written: string): Forms {
  const plain = written.replace(/(?<=\d),(?=\d{3})/g, '');
  for (const { pattern, forms } of KINDS) {
    const found = pattern.exec(plain);
    if (found) return forms(...found.slice(1));
  }
  return [];
}

function wholeForms(digits: string): Forms {
  const byDigit = digitWords(digits);
  const isNumber = digits.length <= MAX_DIGITS && !/^0./.test(digits);
  return distinct([
    numberWords(digits),
    ...(isNumber ? [wholeWords(digits), withAnd(wholeWords(digits))] : []),
    byDigit,
    byDigit.map(word => (word === 'zero' ? 'oh' : word)),
  ]);
}

/** Returns a number read by thousands: "1984" as "one thousand nine hundred eighty four". */
function wholeWords(digits: string): Words {
  return digits.length > MAX_DIGITS ? digitWords(digits) : cardinalWords(Number(digits));
}

function withAnd(words: Words): Words {
  const last = words.lastIndexOf('hundred');
  const next = last < 0 ? undefined : words[last + 1];
  return next === undefined || SCALES.has(next) ? words : words.toSpliced(last + 1, 0, 'and');
}

function decimalForms(whole: string, part: string): Forms {
  const wholes = whole === '' ? [[], ['zero']] : wholeForms(whole);
  return after(wholes, ['point', ...digitWords(part)]);
}

function moneyForms(sign: string, digits: string): Forms {
  const currency = CURRENCIES[sign];
  if (!currency) return [];
  const { one, many } = currency;
  const name = digits === '1' ? one : many;
  // "a $5 note" and "a dollar".
  return [...after(wholeForms(digits), [name]), ...after(wholeForms(digits), [one])];
}

function centForms(sign: string, digits: string, cents: string): Forms {
  const name = CURRENCIES[sign];
  if (!name) return [];
  const units = digits === '1' ? name.one : name.many;
  if (cents === '00') return moneyForms(sign, digits);
  const [whole, part] = [wholeWords(digits), wholeWords(cents)];
  return [
    [...whole, units, 'and', ...part, name.part],
    [...whole, units, ...part, name.part],
    [...whole, units, 'and', ...part],
    [...whole, ...part],
    [...whole, 'point', ...digitWords(cents), units],
  ];
}

function timeForms(hour: string, minute: string): Forms {
  const hours = numberWords(String(Number(hour)));
  if (minute === '00') return [hours, [...hours, "o'clock"], [...hours, 'hundred']];
  const minutes = numberWords(String(Number(minute)));
  return [[...hours, ...(minute.startsWith('0') ? ['oh'] : []), ...minutes]];
}

function rangeForms(from: string, to: string): Forms {
  const [low, high] = [numberWords(from), numberWords(to)];
  return [
    [...low, 'to', ...high],
    [...low, ...high],
  ];
}

/** Returns the plural: "1990s" as "nineteen nineties". */
function plural(words: Words): Words {
  const [last = ''] = words.slice(-1);
  return [...words.slice(0, -1), /y$/.test(last) ? last.replace(/y$/, 'ies') : `${last}s`];
}

function after(forms: Forms, words: Words): Forms {
  return forms.map(form => [...form, ...words]);
}

function distinct(forms: Forms): Forms {
  return [...new Map(forms.map(form => [form.join(' '), form])).values()];
}
