import { SCALES } from '../../phrases/numberWords.ts';
import { belowHundred, cardinal, isLarge, isNumberWord, ORDINALS, SMALL, TENS } from './cardinals.ts';

/** The writing of some words. */
export interface WrittenNumber {
  readonly text: string;
  readonly count: number;
}

type Rule = (words: readonly string[], at: number) => readonly WrittenNumber[] | undefined;

/** Units after which a single number word is enough; "second", "foot" and "pound" have other senses. */
const UNITS: ReadonlySet<string> = new Set(
  ['meter', 'metre', 'gram', 'liter', 'litre', 'watt', 'hertz', 'byte', 'volt']
    .flatMap(unit => ['', 'kilo', 'centi', 'milli', 'mega', 'giga', 'tera'].map(prefix => prefix + unit))
    .flatMap(unit => (unit.endsWith('hertz') ? [unit] : [`${unit}s`])),
);
const MONTHS: ReadonlySet<string> = new Set([
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october'],
  ...['november', 'december'],
]);
/** Words after "twenty twenty". */
const EYESIGHT: ReadonlySet<string> = new Set(['vision', 'hindsight', 'eyesight']);
const CURRENCIES: Readonly<Record<string, string>> = { dollars: '$', euros: '€' };
/** Least number of digits in a row: fewer may be counting, a score, or an offer. */
const MIN_DIGITS = 4;
/** Least number with a thousands separator. */
const PARTED_FROM = 10_000;

/** Rules in order of precedence: the first that takes all adjacent number words applies. */
const RULES: readonly Rule[] = [time, money, percent, measure, digits, year, ordinal, plain];

/**
 * Returns the writing of the number that begins at a word, in pieces; undefined when it is uncertain.
 *
 * A number needs two number words, or one and a unit: "one of them" stays. Adjacent number words that do not
 * form one number stay: "fifty fifty", "one two three", and so does the rest of a number that is not read
 * from its start: "a hundred and twenty five".
 *
 * @param from index of the first word that is not part of a number yet
 */
export function readNumber(
  words: readonly string[],
  at: number,
  from = 0,
): readonly WrittenNumber[] | undefined {
  if (goesOnFrom(words, at - 1, from)) return undefined;
  for (const rule of RULES) {
    const pieces = rule(words, at);
    if (!pieces) continue;
    const end = at + pieces.reduce((sum, { count }) => sum + count, 0);
    if (!goesOnAt(words, end)) return pieces;
  }
  return undefined;
}

/** Returns whether the next words may belong to a number that ends with this word. */
function goesOnFrom(words: readonly string[], at: number, from: number): boolean {
  const last = pastZeros(words, at, -1);
  const word = words[last];
  const isLink = word === 'and' && last > from && isLarge(words[last - 1]);
  return isLink || word === 'point' || isNumberWord(word);
}

/** Returns whether a word may continue the number before it, which is then uncertain. */
function goesOnAt(words: readonly string[], at: number): boolean {
  const word = words[at] ?? '';
  return ORDINALS.has(word) || word === 'point' || isNumberWord(words[pastZeros(words, at, 1)]);
}

/** Returns the first index in a direction whose word is not "oh", which is a digit among number words. */
function pastZeros(words: readonly string[], from: number, step: 1 | -1): number {
  let at = from;
  while (words[at] === 'oh') at += step;
  return at;
}

/** Reads "ten thirty p m", "five a.m."; without the half of the day it may be anything. */
function time(words: readonly string[], at: number): readonly WrittenNumber[] | undefined {
  const hour = SMALL.get(words[at] ?? '');
  if (hour === undefined || hour < 1 || hour > 12) return undefined;
  const minute = minutes(words, at + 1);
  const count = 1 + (minute?.count ?? 0);
  const [half = '', m] = words.slice(at + count);
  const isSpelled = (half === 'a' || half === 'p') && m === 'm';
  if (!isSpelled && half !== 'a.m.' && half !== 'p.m.') return undefined;
  const text = minute ? `${hour}:${minute.text}` : String(hour);
  return [
    { text, count },
    { text: `${half[0]}.m.`, count: isSpelled ? 2 : 1 },
  ];
}

function minutes(words: readonly string[], at: number): WrittenNumber | undefined {
  const ones = words[at] === 'oh' ? (SMALL.get(words[at + 1] ?? '') ?? 0) : 0;
  if (ones > 0 && ones < 10) return { text: `0${ones}`, count: 2 };
  const said = belowHundred(words, at);
  return said && said.value >= 10 && said.value < 60
    ? { text: String(said.value), count: said.count }
    : undefined;
}

/** Reads "twenty dollars", "five million dollars", "two dollars and fifty cents". */
function money(words: readonly string[], at: number): readonly WrittenNumber[] | undefined {
  const [amount, ...scale] = amountAt(words, at) ?? [];
  if (!amount) return undefined;
  const unit = at + amount.count + scale.length;
  const sign = CURRENCIES[words[unit] ?? ''];
  if (sign === undefined) return undefined;
  if (scale[0])
    return [
      { ...amount, text: sign + amount.text },
      { ...scale[0], count: 2 },
    ];
  const link = words[unit + 1] === 'and' ? 1 : 0;
  const cents = belowHundred(words, unit + 1 + link);
  const isExact = cents && words[unit + 1 + link + cents.count] === 'cents' && /^\d+$/.test(amount.text);
  if (!isExact) return [{ text: sign + amount.text, count: amount.count + 1 }];
  const text = `${sign}${amount.text}.${String(cents.value).padStart(2, '0')}`;
  return [{ text, count: amount.count + 1 + link + cents.count + 1 }];
}

/** Reads "five percent", "two point five per cent". */
function percent(words: readonly string[], at: number): readonly WrittenNumber[] | undefined {
  const [amount, scale] = amountAt(words, at) ?? [];
  if (!amount || scale) return undefined;
  const [unit, cent] = words.slice(at + amount.count);
  const count = unit === 'percent' ? 1 : unit === 'per' && cent === 'cent' ? 2 : 0;
  return count > 0 ? [{ text: `${amount.text}%`, count: amount.count + count }] : undefined;
}

/** Reads "five kilometers". */
function measure(words: readonly string[], at: number): readonly WrittenNumber[] | undefined {
  const pieces = amountAt(words, at);
  const count = pieces?.reduce((sum, piece) => sum + piece.count, 0) ?? 0;
  return UNITS.has(words[at + count] ?? '') ? pieces : undefined;
}

/** Reads "five five five one two one two"; counting up or down stays. */
function digits(words: readonly string[], at: number): readonly WrittenNumber[] | undefined {
  const said: number[] = [];
  for (;;) {
    const word = words[at + said.length];
    const digit = word === 'oh' && said.length > 0 ? 0 : SMALL.get(word ?? '');
    if (digit === undefined || digit > 9) break;
    said.push(digit);
  }
  const isCounting = [1, -1].some(step =>
    said.every((digit, index) => index === 0 || digit === said[index - 1]! + step),
  );
  return said.length < MIN_DIGITS || isCounting ? undefined : [{ text: said.join(''), count: said.length }];
}

/** Reads "nineteen ninety five", "nineteen oh five", "twenty twenty one"; "twenty thirty" may be a guess. */
function year(words: readonly string[], at: number): readonly WrittenNumber[] | undefined {
  const century = SMALL.get(words[at] ?? '') ?? TENS.get(words[at] ?? '') ?? 0;
  if (century < 16 || century > 20) return undefined;
  const rest = minutes(words, at + 1) ?? hundredth(words, at + 1);
  const number = Number(rest?.text);
  // "Sixteen seventeen" is counting.
  const isCounting = number < 20 && number === century + 1;
  const isEyesight = EYESIGHT.has(words[at + 1 + (rest?.count ?? 0)] ?? '');
  if (!rest || isCounting || isEyesight || (century === 20 && (number < 10 || number > 29))) return undefined;
  return [{ text: `${century}${rest.text}`, count: 1 + rest.count }];
}

function hundredth(words: readonly string[], at: number): WrittenNumber | undefined {
  const said = belowHundred(words, at);
  return said && said.value >= 60 ? { text: String(said.value), count: said.count } : undefined;
}

/**
 * Reads "twenty first", "one hundred and third"; "one third" is a fraction, "twenty second" mostly a time.
 */
function ordinal(words: readonly string[], at: number): readonly WrittenNumber[] | undefined {
  const said = TENS.has(words[at] ?? '') ? { value: TENS.get(words[at]!)!, count: 1 } : cardinal(words, at);
  if (!said || said.value < 20 || said.value % 10 !== 0) return undefined;
  const link = words[at + said.count] === 'and' ? 1 : 0;
  const last = words[at + said.count + link] ?? '';
  const ones = ORDINALS.get(last);
  if (ones === undefined || (said.value % 100 !== 0 && (ones > 9 || link === 1))) return undefined;
  const end = at + said.count + link + 1;
  if (last === 'second' && words[end] !== 'of' && !MONTHS.has(words[at - 1] ?? '')) return undefined;
  const value = said.value + ones;
  return [{ text: `${value}${suffixOf(value)}`, count: said.count + link + 1 }];
}

function suffixOf(value: number): string {
  if (value % 100 > 10 && value % 100 < 14) return 'th';
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th';
}

/** Reads "twenty five", "two thousand and seven", "five million", "three point one four". */
function plain(words: readonly string[], at: number): readonly WrittenNumber[] | undefined {
  const pieces = amountAt(words, at);
  const count = pieces?.reduce((sum, piece) => sum + piece.count, 0) ?? 0;
  return count > 1 ? pieces : undefined;
}

/** Reads a number of one or more words; a large round one in two pieces, such as "2.5" and "million". */
function amountAt(words: readonly string[], at: number): readonly WrittenNumber[] | undefined {
  const whole = cardinal(words, at);
  if (!whole) return undefined;
  // "At one point five of us left."
  const isIdiom = words[at - 1] === 'at' && words[at] === 'one';
  const fraction = isIdiom ? undefined : fractionAt(words, at + whole.count);
  const scaleAt = at + whole.count + (fraction?.count ?? 0);
  if (fraction) {
    const amount = { text: `${whole.value}.${fraction.text}`, count: whole.count + fraction.count };
    const scale = words[scaleAt] ?? '';
    return SCALES.has(scale) ? [amount, { text: scale, count: 1 }] : [amount];
  }
  const scale = words[scaleAt - 1]!;
  const size = SCALES.get(scale) ?? 0;
  const share = whole.value / size;
  if (size > 1000 && whole.count > 1 && share < 1000) {
    return [
      { text: String(share), count: whole.count - 1 },
      { text: scale, count: 1 },
    ];
  }
  const text = whole.value < PARTED_FROM ? String(whole.value) : whole.value.toLocaleString('en-US');
  return [{ text, count: whole.count }];
}

function fractionAt(words: readonly string[], at: number): WrittenNumber | undefined {
  if (words[at] !== 'point') return undefined;
  const said: number[] = [];
  for (;;) {
    const word = words[at + 1 + said.length];
    const digit = word === 'oh' ? 0 : SMALL.get(word ?? '');
    if (digit === undefined || digit > 9) break;
    said.push(digit);
  }
  return said.length > 0 ? { text: said.join(''), count: said.length + 1 } : undefined;
}
