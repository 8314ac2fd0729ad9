/** What is said for a sign, behind the number. */
export const CURRENCY_OF: Readonly<Record<string, string>> = {
  ...{ $: 'dollars', '£': 'pounds', '€': 'euros', '¥': 'yen', '₹': 'rupees', '¢': 'cents' },
};

/** Of one of them to how they are written here behind any number: "a five dollar bill" and "$5" are the same. */
export const CURRENCY_WORDS: ReadonlyMap<string, string> = new Map([
  ...['dollars', 'pounds', 'euros', 'rupees', 'cents'].flatMap(many => [
    [many, many] as const,
    [many.slice(0, -1), many] as const,
  ]),
  ['yen', 'yen'],
  ['pence', 'pence'],
  ['penny', 'pence'],
]);

/** The hundredth part. */
export const SMALL_COINS: Readonly<Record<string, string>> = {
  dollars: 'cents',
  euros: 'cents',
  pounds: 'pence',
};
