const SMALL = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'],
  ...['twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
const TENS = [...['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']];
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
  const last = words.at(-1)!;
  return [...words.slice(0, -1), IRREGULAR_ORDINALS[last] ?? `${last.replace(/y$/, 'ie')}th`];
}

/** Returns single digits: "205" as "two zero five". */
export function digitWords(digits: string): readonly string[] {
  return [...digits].map(digit => SMALL[Number(digit)]!);
}

/** Returns a number below a million, without "and". */
function cardinalWords(number: number): readonly string[] {
  if (number < 20) return [SMALL[number]!];
  if (number < 100) return [TENS[Math.floor(number / 10)]!, ...unlessZero(number % 10)];
  const [unit, name] = number < 1000 ? [100, 'hundred'] : [1000, 'thousand'];
  return [...cardinalWords(Math.floor(number / unit)), name, ...unlessZero(number % unit)];
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
