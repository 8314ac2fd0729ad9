import { numberWord } from './numberWords.ts';
import { belowHundred, readCardinal } from './readCardinal.ts';

/** Digits in words, and how many words they have. */
export interface SaidDigits {
  readonly text: string;
  readonly count: number;
}

export const REPEATS: Readonly<Record<string, number>> = { double: 2, triple: 3 };

/**
 * Reads numbers below a hundred in a row as the digits of one: "nineteen ninety nine", "one oh five", "double seven",
 * "nineteen fifties".
 *
 * @param behindPoint allows leading zeros and a following scale: "point oh five million"
 */
export function readDigits(
  words: readonly string[],
  at: number,
  behindPoint = false,
): SaidDigits | undefined {
  const pieces: string[] = [];
  let count = 0;
  for (;;) {
    const piece = readPiece(words, at + count, { isFirst: pieces.length === 0 && !behindPoint, behindPoint });
    if (!piece) return pieces.length === 0 ? undefined : { text: pieces.join(''), count };
    pieces.push(piece.text);
    count += piece.count;
    if (piece.text.endsWith('s')) return { text: pieces.join(''), count };
  }
}

function readPiece(
  words: readonly string[],
  at: number,
  { isFirst, behindPoint }: { readonly isFirst: boolean; readonly behindPoint: boolean },
): SaidDigits | undefined {
  const repeats = REPEATS[words[at] ?? ''];
  if (repeats !== undefined) {
    const digit = digitOf(words[at + 1]);
    return digit === undefined ? undefined : { text: digit.repeat(repeats), count: 2 };
  }
  if (isOh(words[at])) return !isFirst && goesOnBehindOhs(words, at) ? { text: '0', count: 1 } : undefined;
  const piece = belowHundred(words, at);
  if (!piece || (!behindPoint && readCardinal(words, at)!.scaled)) return undefined;
  if (piece.suffix === 'th' || (piece.suffix === 's' && (isFirst || piece.value < 20n))) return undefined;
  return { text: `${piece.value}${piece.suffix ?? ''}`, count: piece.count };
}

/** Returns the digit of "seven", "zero" or "oh". */
export function digitOf(word: string | undefined): string | undefined {
  if (isOh(word)) return '0';
  const number = numberWord(word);
  const isDigit = (number?.kind === 'unit' || number?.kind === 'zero') && !number.suffix;
  return isDigit ? String(number.value) : undefined;
}

const isOh = (word: string | undefined) => word === 'oh' || word === 'o';

/** Returns whether a digit follows, without which "oh" is not one: "two, oh my!" */
function goesOnBehindOhs(words: readonly string[], at: number): boolean {
  let next = at;
  // The limit keeps a text of nothing but "oh" from taking quadratic time.
  while (isOh(words[next]) && next < at + 8) next++;
  return digitOf(words[next]) !== undefined && !isOh(words[next]);
}
