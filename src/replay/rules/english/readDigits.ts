import { numberWord } from './numberWords.ts';
import { belowHundred, readCardinal } from './readCardinal.ts';

/** Digits that words say, and how many of them. */
export interface SaidDigits {
  readonly text: string;
  readonly count: number;
}

const REPEATS: Readonly<Record<string, number>> = { double: 2, triple: 3 };

/**
 * Numbers below a hundred in a row are the digits of one: "nineteen ninety nine", "one oh five", "double seven",
 * "nineteen fifties".
 *
 * @param behindPoint zeros may come first, and a scale may follow: "point oh five million"
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

/** The digit of "seven", "zero", "oh". */
function digitOf(word: string | undefined): string | undefined {
  if (isOh(word)) return '0';
  const number = numberWord(word);
  const isDigit = (number?.kind === 'unit' || number?.kind === 'zero') && !number.suffix;
  return isDigit ? String(number.value) : undefined;
}

const isOh = (word: string | undefined) => word === 'oh' || word === 'o';

/** "Oh" is a digit only before another: "two, oh my!" */
function goesOnBehindOhs(words: readonly string[], at: number): boolean {
  let next = at;
  // So many in a row are no number, and a text of nothing else must not take for ever.
  while (isOh(words[next]) && next < at + 8) next++;
  return digitOf(words[next]) !== undefined && !isOh(words[next]);
}
