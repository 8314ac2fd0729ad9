/** Words of the numbers below twenty. */
export const SMALL_WORDS: readonly string[] = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'],
  ...['twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
/** Words of the tens from twenty. */
export const TENS_WORDS: readonly string[] = [
  ...['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'],
];
/** Words of the larger units, in descending order. */
export const SCALES: ReadonlyMap<string, number> = new Map([
  ['trillion', 1e12],
  ['billion', 1e9],
  ['million', 1e6],
  ['thousand', 1000],
]);
/** Currencies, which are spoken after the figures. */
export const CURRENCIES: Readonly<
  Record<string, { readonly one: string; readonly many: string; readonly part: string }>
> = {
  $: { one: 'dollar', many: 'dollars', part: 'cents' },
  '€': { one: 'euro', many: 'euros', part: 'cents' },
  '£': { one: 'pound', many: 'pounds', part: 'pence' },
};
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};
/** Longer numbers are read digit by digit. */
const MAX_DIGITS = 6;

/**
 * Returns digits as read in American English: "17" as "seventeen", "1984" as "nineteen eighty four", "007"
 * digit by digit.
 *
 * @param digits ASCII digits only
 */
export function numberWords(digits: string): readonly string[] {
  if (digits.length > MAX_DIGITS || /^0./.test(digits)) return digitWords(digits);
  return digits.length === 4 ? yearWords(Number(digits)) : cardinalWords(Number(digits));
}

/** Returns an ordinal: "21" as "twenty first". */
export function ordinalWords(digits: string): readonly string[] {
  const words = digits.length > MAX_DIGITS ? digitWords(digits) : cardinalWords(Number(digits));
  const [last = ''] = words.slice(-1);
  return [...words.slice(0, -1), IRREGULAR_ORDINALS[last] ?? `${last.replace(/y$/, 'ie')}th`];
}

/** Returns single digits: "205" as "two zero five". */
export function digitWords(digits: string): readonly string[] {
  return [...digits].flatMap(digit => SMALL_WORDS[Number(digit)] ?? []);
}

/** Returns a number below a thousand trillions, without "and". */
export function cardinalWords(number: number): readonly string[] {
  for (const [name, unit] of [...SCALES, ['hundred', 100] as const]) {
    if (number >= unit) {
      return [...cardinalWords(Math.floor(number / unit)), name, ...unlessZero(number % unit)];
    }
  }
  if (number < 20) return [SMALL_WORDS[number]!];
  return [TENS_WORDS[Math.floor(number / 10) - 2]!, ...unlessZero(number % 10)];
}

function unlessZero(number: number): readonly string[] {
  return number === 0 ? [] : cardinalWords(number);
}

/** Returns a number in pairs, like years and model names, except 2000 to 2009 and the like. */
function yearWords(number: number): readonly string[] {
  const [high, low] = [Math.floor(number / 100), number % 100];
  if (high % 10 === 0 && low < 10) return cardinalWords(number);
  if (low === 0) return [...cardinalWords(high), 'hundred'];
  return [...cardinalWords(high), ...(low < 10 ? ['oh'] : []), ...cardinalWords(low)];
}
