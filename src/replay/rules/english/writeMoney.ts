import { type EnglishWord, inPlaceOf } from './englishWord.ts';
import { isNumeral } from './numberWords.ts';
import wordLists from './wordLists.json' with { type: 'json' };

/** Words that are said for the signs, after the number. */
export const CURRENCY_OF: Readonly<Record<string, string>> = wordLists.currencyOf;

/** Normalized currency words after a number: "a five dollar bill" and "$5" are equal. */
export const CURRENCY_WORDS: ReadonlyMap<string, string> = new Map(Object.entries(wordLists.currencyWords));

/** Words for the hundredth part. */
const SMALL_COINS: Readonly<Record<string, string>> = wordLists.smallCoins;

/**
 * Writes money as it is said: `$20` is "20 dollars", `$2.70` and "two dollars and seventy cents" are "2 dollars 70
 * cents". Behind a number the currency is plural: "5 dollar" is "5 dollars".
 */
export function writeMoney(words: readonly EnglishWord[]): readonly EnglishWord[] {
  const said: EnglishWord[] = [];
  for (let at = 0; at < words.length; ) {
    const amount = words[at]!;
    const next = CURRENCY_WORDS.get(words[at + 1]?.word ?? '');
    const unit = amount.unit ?? (isNumeral(amount.word) ? next : undefined);
    if (unit === undefined) {
      said.push(amount);
      at++;
      continue;
    }
    // "$20 dollars" names the currency twice.
    const isSaid = next === unit;
    const place = isSaid ? words[at + 1]! : amount;
    at += isSaid ? 2 : 1;
    said.push(...moneyOf(amount, unit, place));
    const coins = SMALL_COINS[unit];
    if (words[at]?.word === 'and' && coins !== undefined && areCoins(words, at + 1, coins)) at++;
  }
  return said;
}

function moneyOf(amount: EnglishWord, unit: string, place: EnglishWord): readonly EnglishWord[] {
  const [, whole, hundredths] = /^(\d+)\.(\d{2})$/.exec(amount.word) ?? [];
  const coins = SMALL_COINS[unit];
  if (whole === undefined || coins === undefined) {
    return [...inPlaceOf(amount, [amount.word]), ...inPlaceOf(place, [unit])];
  }
  const small = String(Number(hundredths));
  if (Number(whole) === 0) return [...inPlaceOf(amount, [small]), ...inPlaceOf(place, [coins])];
  if (small === '0') return [...inPlaceOf(amount, [whole]), ...inPlaceOf(place, [unit])];
  return [...inPlaceOf(amount, [whole]), ...inPlaceOf(place, [unit]), ...inPlaceOf(place, [small, coins])];
}

/** Returns whether a number of coins follows "and". */
function areCoins(words: readonly EnglishWord[], at: number, coins: string): boolean {
  const word = words[at]?.word ?? '';
  return /^\d{1,2}$/.test(word) && CURRENCY_WORDS.get(words[at + 1]?.word ?? '') === coins;
}
