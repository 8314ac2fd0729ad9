import { type NumberWord, numberWord } from './numberWords.ts';

/** A number in words, and how many words it has. */
interface Cardinal {
  readonly value: bigint;
  readonly count: number;
  /** Suffix of the last word, after which the number ends. */
  readonly suffix?: NumberWord['suffix'];
  /** True for a number with "hundred", "thousand" or more; others may be digits that are said in a row. */
  readonly scaled: boolean;
  /** Scale, below which another part may follow. */
  readonly scale?: bigint;
  /** True for digits, "a" or nothing, which are a number in words only if a scale follows. */
  readonly onlyScaled?: boolean;
}

/** Maximum number of digits of a number that is said with a scale. */
const MAX_DIGITS = 18;
/** Maximum number of scales in a row: "a million million" occurs. */
const MAX_SCALES = 2;

/** Reads a number below a hundred: "seven", "twelve", "ninety", "forty two", "twenty first". */
export function belowHundred(words: readonly string[], at: number): Cardinal | undefined {
  const first = numberWord(words[at]);
  if (!first || first.kind === 'hundred' || first.kind === 'scale') return undefined;
  const { value, suffix } = first;
  const unit = numberWord(words[at + 1]);
  if (first.kind !== 'tens' || suffix || unit?.kind !== 'unit') return said(value, 1, suffix);
  return said(value + unit.value, 2, unit.suffix);
}

/**
 * Reads as many words as belong to one number: "two thousand and seven", "five hundred sixty", "200 thousand", "a
 * million", "nineteen hundred"; in "five twenty four" only the five.
 */
export function readCardinal(words: readonly string[], at: number): Cardinal | undefined {
  let total: Cardinal | undefined;
  /** Upper limit of the part that follows. */
  let limit: bigint | undefined;
  for (;;) {
    const from = at + (total?.count ?? 0);
    const link = total && words[from] === 'and' ? 1 : 0;
    const part = readPart(words, from + link, total !== undefined);
    if (!part || (total && (part.value === 0n || part.value >= limit!))) return total;
    const count = (total?.count ?? 0) + link + part.count;
    const scaled = part.scaled || total !== undefined;
    total = { value: (total?.value ?? 0n) + part.value, count, suffix: part.suffix, scaled };
    if (part.suffix || part.scale === undefined) return total;
    limit = part.scale;
  }
}

/** Reads a number below a thousand (or ten thousand: "nineteen hundred") with its scales. */
function readPart(words: readonly string[], at: number, goesOn: boolean): Cardinal | undefined {
  const hundreds = readHundreds(words, at, goesOn);
  if (!hundreds || hundreds.suffix) return hundreds;
  let { value, count } = hundreds;
  let scale: bigint | undefined;
  for (let scales = 0; scales < MAX_SCALES; scales++) {
    const word = numberWord(words[at + count]);
    if (word?.kind !== 'scale' || value === 0n) break;
    scale = (scale ?? 1n) * 10n ** BigInt(word.value);
    value *= 10n ** BigInt(word.value);
    count++;
    if (word.suffix) return { value, count, suffix: word.suffix, scaled: true, scale };
  }
  if (count === 0 || (scale === undefined && hundreds.onlyScaled)) return undefined;
  return { value, count, scaled: hundreds.scaled || scale !== undefined, scale };
}

function readHundreds(words: readonly string[], at: number, goesOn: boolean): Cardinal | undefined {
  const first = belowHundred(words, at) ?? beforeScale(words, at, goesOn);
  if (!first || first.suffix || first.value === 0n) return first;
  const hundred = numberWord(words[at + first.count]);
  if (hundred?.kind !== 'hundred') return first;
  const value = first.value * 100n;
  const count = first.count + 1;
  if (hundred.suffix) return { value, count, suffix: hundred.suffix, scaled: true };
  const link = words[at + count] === 'and' ? 1 : 0;
  const rest = belowHundred(words, at + count + link);
  const behind = rest && numberWord(words[at + count + link + rest.count]);
  // "A hundred and two hundred" are two numbers.
  if (!rest || rest.value === 0n || behind?.kind === 'hundred') return { value, count, scaled: true };
  return { ...rest, value: value + rest.value, count: count + link + rest.count, scaled: true };
}

/** Reads "200" or "a" before a scale, or a scale by itself. */
function beforeScale(words: readonly string[], at: number, goesOn: boolean): Cardinal | undefined {
  const word = words[at] ?? '';
  if (/^\d+$/.test(word) && word.length <= MAX_DIGITS) {
    return { value: BigInt(word), count: 1, scaled: false, onlyScaled: true };
  }
  if (goesOn) return undefined;
  const next = numberWord(words[at + 1]);
  const isScale = (number?: NumberWord) => number?.kind === 'hundred' || number?.kind === 'scale';
  if (word === 'a' && isScale(next) && !next?.suffix) {
    return { value: 1n, count: 1, scaled: false, onlyScaled: true };
  }
  return isScale(numberWord(word)) ? { value: 1n, count: 0, scaled: false, onlyScaled: true } : undefined;
}

function said(value: number, count: number, suffix: NumberWord['suffix']): Cardinal {
  return { value: BigInt(value), count, suffix, scaled: false };
}
