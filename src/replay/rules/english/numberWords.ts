import wordLists from './wordLists.json' with { type: 'json' };

/** A number word. Scales are powers of ten. */
export interface NumberWord {
  readonly kind: 'zero' | 'unit' | 'teen' | 'tens' | 'hundred' | 'scale';
  /** Value; for a scale its power of ten. */
  readonly value: number;
  /** `th` for an ordinal such as `third`, `s` for a plural such as `fifties`. */
  readonly suffix?: 'th' | 's';
}

const ODD_ORDINALS: Readonly<Record<string, string>> = wordLists.oddOrdinals;

const WORDS: ReadonlyMap<string, NumberWord> = new Map([
  ...forms('zero', { kind: 'zero', value: 0 }),
  ...wordLists.units.flatMap((word, index) => forms(word, { kind: 'unit', value: index + 1 })),
  ...wordLists.teens.flatMap((word, index) => forms(word, { kind: 'teen', value: index + 10 })),
  ...wordLists.tens.flatMap((word, index) => forms(word, { kind: 'tens', value: index * 10 + 20 })),
  ...forms('hundred', { kind: 'hundred', value: 100 }),
  ...wordLists.scales.flatMap((word, index) => forms(word, { kind: 'scale', value: index * 3 + 3 })),
]);

function forms(word: string, number: NumberWord): readonly (readonly [string, NumberWord])[] {
  const ordinal = ODD_ORDINALS[word] ?? `${word.replace(/y$/, 'ie')}th`;
  const many = word.replace(/y$/, 'ie') + (word.endsWith('x') ? 'es' : 's');
  return [
    [word, number],
    [ordinal, { ...number, suffix: 'th' }],
    [many, { ...number, suffix: 's' }],
  ];
}

export function numberWord(word: string | undefined): NumberWord | undefined {
  return WORDS.get(word ?? '');
}

export function isNumberWord(word: string): boolean {
  return WORDS.has(word);
}

/** Returns whether a word is a number in digits, with or without points. */
export function isNumeral(word: string): boolean {
  return /^\d+(?:\.\d+)*$/.test(word);
}

/** Formats an ordinal: 1st, 2nd, 3rd, 4th, 11th. */
export function ordinal(value: bigint): string {
  const ones = value % 100n > 10n && value % 100n < 14n ? 0n : value % 10n;
  return `${value}${['th', 'st', 'nd', 'rd'][Number(ones)] ?? 'th'}`;
}
