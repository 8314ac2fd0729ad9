/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ø: 'o', ß: 'ss', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' },
  // As a writer without them would put it.
  ...{ '\u2018': "'", '\u2019': "'", '\u02BC': "'", '\u00B4': "'", '`': "'" },
  ...{ '\u2212': '-', '\u2044': '/' },
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
const FRACTIONS: Readonly<Record<string, readonly [string, string]>> = {
  '\u00BC': ['.25', ' quarter '],
  '\u00BD': ['.5', ' half '],
  '\u00BE': ['.75', ' 3 quarters '],
};

/** Lower case, without diacritics, in the plainest letters there are: `Café` and `ｃａｆｅ` are `cafe`; `2½` is `2.5`. */
export function foldEnglish(text: string): string {
  if (/^[!-_a-~]*$/.test(text)) return text.toLowerCase();
  return text
    .replace(/(\d?)([\u00BC-\u00BE])/g, (_, digit: string, fraction: string) => {
      const [behindDigit, alone] = FRACTIONS[fraction]!;
      return digit ? digit + behindDigit : alone;
    })
    .toLowerCase()
    .replace(/\u00B4/g, "'")
    .normalize('NFKD')
    .replace(/[\p{M}\p{DI}]+/gu, '')
    .toLowerCase()
    .replace(SPECIAL, letter => LETTERS[letter]!)
    .normalize('NFC');
}
