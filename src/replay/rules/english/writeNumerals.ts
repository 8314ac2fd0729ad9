import { type EnglishWord, joinRuns } from './englishWord.ts';
import { isNumeral, numberWord, ordinal } from './numberWords.ts';
import { readCardinal } from './readCardinal.ts';
import { readDigits, type SaidDigits } from './readDigits.ts';

/** Writes numbers in digits: "twenty one" is 21, "thirty first" 31st, "200 thousand" 200000, "two and a half" 2.5. */
export function writeNumerals(words: readonly EnglishWord[]): readonly EnglishWord[] {
  const said = words.map(({ word }) => word);
  return joinRuns(words, at => readHalf(said, at) ?? readNumber(said, at));
}

/** Reads "half a million", "half million" or "a half million". */
function readHalf(words: readonly string[], at: number): SaidDigits | undefined {
  const half = words[at] === 'a' ? at + 1 : at;
  if (words[half] !== 'half') return undefined;
  const scale = half === at && words[at + 1] === 'a' ? at + 2 : half + 1;
  const found = numberWord(words[scale]);
  if (found?.kind !== 'scale' || found.suffix) return undefined;
  return { text: shiftPoint('0.5', found.value), count: scale + 1 - at };
}

function readNumber(words: readonly string[], at: number): SaidDigits | undefined {
  const whole = readWhole(words, at);
  if (!whole || !/^\d+(?:\.\d+)*$/.test(whole.text)) return whole;
  return withScale(words, at, withFraction(words, at, whole));
}

function readWhole(words: readonly string[], at: number): SaidDigits | undefined {
  const cardinal = readCardinal(words, at);
  if (!cardinal?.scaled) {
    const digits = readDigits(words, at);
    if (digits) return digits;
  }
  if (cardinal) {
    const { value, suffix, count } = cardinal;
    return { text: suffix === 'th' ? ordinal(value) : `${value}${suffix ?? ''}`, count };
  }
  return isNumeral(words[at]!) ? { text: words[at]!, count: 1 } : undefined;
}

/** Reads "point five", repeatedly as in a version number, or "and a half". */
function withFraction(words: readonly string[], at: number, whole: SaidDigits): SaidDigits {
  if (whole.text.includes('.')) return whole;
  let { text, count } = whole;
  while (words[at + count] === 'point') {
    const from = at + count + 1;
    const fraction = readDigits(words, from, true) ?? writtenDigits(words[from]);
    if (!fraction || !/^\d+$/.test(fraction.text)) break;
    text += `.${fraction.text}`;
    count += fraction.count + 1;
  }
  const isHalf = ['and', 'a', 'half'].every((word, index) => words[at + count + index] === word);
  const isScaled = numberWord(words[at + count - 1])?.kind === 'scale';
  return isHalf && !isScaled && !text.includes('.')
    ? { text: `${text}.5`, count: count + 3 }
    : { text, count };
}

const writtenDigits = (word = ''): SaidDigits | undefined =>
  /^\d+$/.test(word) ? { text: word, count: 1 } : undefined;

/** Reads the scale of a decimal, as in "2.5 million". */
function withScale(words: readonly string[], at: number, number: SaidDigits): SaidDigits {
  let { text, count } = number;
  for (;;) {
    const word = numberWord(words[at + count]);
    const power = word?.kind === 'hundred' ? 2 : word?.kind === 'scale' ? word.value : undefined;
    if (word === undefined || power === undefined || !/^\d+\.\d+$/.test(text)) return { text, count };
    text = shiftPoint(text, power);
    count++;
    if (word.suffix) return { text: text + word.suffix, count };
  }
}

/** Multiplies a number in digits by a power of ten: ('2.5', 6) gives '2500000', ('1.2345', 3) gives '1234.5'. */
function shiftPoint(numeral: string, power: number): string {
  const [whole = '', fraction = ''] = numeral.split('.');
  const digits = fraction.padEnd(power, '0');
  const moved = (whole + digits.slice(0, power)).replace(/^0+(?=\d)/, '');
  const rest = digits.slice(power).replace(/0+$/, '');
  return rest === '' ? moved : `${moved}.${rest}`;
}
