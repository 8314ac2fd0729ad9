/** One character of CEA-608: a byte of the basic set, or a pair that replaces the basic character before it, if any. */
export type SccCharacter =
  | { readonly type: 'basic'; readonly byte: number }
  /** A character of the special set, which stands alone. */
  | { readonly type: 'special'; readonly pair: number }
  /** A character of the extended sets: decoders without them show the basic one that is sent first. */
  | { readonly type: 'extended'; readonly pair: number; readonly fallback: number };

/** Basic characters that are not those of ASCII (CTA-608-E, table 50). */
const BASIC_CHANGES: Readonly<Record<string, number>> = {
  á: 0x2a,
  é: 0x5c,
  í: 0x5e,
  ó: 0x5f,
  ú: 0x60,
  ç: 0x7b,
  '÷': 0x7c,
  Ñ: 0x7d,
  ñ: 0x7e,
  '█': 0x7f,
};
const NOT_ASCII = new Set(Object.values(BASIC_CHANGES));

/** Special characters from 0x1130 on; a blank is the transparent space. */
const SPECIAL = '®°½¿™¢£♪à èâêîôû';
/** Extended characters from 0x1220 and 0x1320 on, each with its fallback below. */
const EXTENDED = [
  ['ÁÉÓÚÜü‘¡*’—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»', 'AEOUUu\'!+\'-cs.""AACEEEeIIiOUuU<>', 0x1220],
  ['ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤¦ÅåØø┌┐└┘', "AaIIiOoOo()/'-!-AaOosY$!AaOo----", 0x1320],
] as const;

function basicBytes(): [string, SccCharacter][] {
  const ascii = Array.from({ length: 95 }, (_, index) => index + 0x20).filter(byte => !NOT_ASCII.has(byte));
  return [
    ...ascii.map((byte): [string, SccCharacter] => [String.fromCharCode(byte), { type: 'basic', byte }]),
    ...Object.entries(BASIC_CHANGES).map(([text, byte]): [string, SccCharacter] => [
      text,
      { type: 'basic', byte },
    ]),
  ];
}

const CHARACTERS: ReadonlyMap<string, SccCharacter> = new Map([
  ...EXTENDED.flatMap(([texts, fallbacks, first]) =>
    [...texts].map((text, index): [string, SccCharacter] => [
      text,
      { type: 'extended', pair: first + index, fallback: fallbacks.charCodeAt(index) },
    ]),
  ),
  ...[...SPECIAL].flatMap((text, index): [string, SccCharacter][] =>
    text === ' ' ? [] : [[text, { type: 'special', pair: 0x1130 + index }]],
  ),
  ...basicBytes(),
]);

/** Returns the character of CEA-608 for one of Unicode; undefined when there is none. */
export function sccCharacter(character: string): SccCharacter | undefined {
  return CHARACTERS.get(character);
}

/** Characters that CEA-608 lacks, and the text for them. In 608, an apostrophe looks like a closing quotation mark. */
const REPLACEMENTS = `
  ’‛′\`´ʼʻ ' „‟″ " ‐‑‒–―−⁃ - ♩♫♬ ♪ ‚ , ‹ < › > … ... ⁄ / × x · . ± +/- → -> ← <- ≈ ~ ≠ != ≤ <= ≥ >= § S
  € EUR ₹ INR ₽ RUB ₩ KRW ₺ TRY ₪ ILS ₴ UAH ₱ PHP ₦ NGN ₫ VND ฿ THB ₿ BTC
  æ ae Æ AE œ oe Œ OE ẞ SS þ th Þ Th ŋ ng Ŋ Ng ł l Ł L đð d ĐÐ D ı i ħ h Ħ H ŧ t Ŧ T ƒ f µ u`;

const REPLACED: ReadonlyMap<string, string> = new Map(
  [...REPLACEMENTS.matchAll(/(\S+) (\S+)/gu)].flatMap(([, characters = '', text = '']) =>
    Array.from(characters, (each): [string, string] => [each, text]),
  ),
);
/** Stands for a character of another script. */
const UNKNOWN = '?';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns a text in the characters of CEA-608: accents that it lacks are left out, typographic marks become plain ones, and a
 * character of another script becomes a question mark.
 */
export function sccText(text: string): string {
  const texts = graphemesOf(text).map(grapheme => graphemeText(grapheme) ?? UNKNOWN);
  return texts.join('').replace(/\s+/gu, ' ').trim();
}

/** Returns the characters of a text that become question marks. */
export function sccUnknown(text: string): readonly string[] {
  return graphemesOf(text).filter(grapheme => graphemeText(grapheme) === undefined);
}

function graphemesOf(text: string): readonly string[] {
  // Most texts need no conversion.
  if (/^[ -~]*$/.test(text)) return text.split('');
  return Array.from(graphemes.segment(text.normalize('NFC')), ({ segment }) => segment);
}

/** Returns undefined for a character without a text in CEA-608. */
function graphemeText(grapheme: string): string | undefined {
  if (CHARACTERS.has(grapheme)) return REPLACED.get(grapheme) ?? grapheme;
  // Format characters, such as marks of direction, have no shape.
  const bare = grapheme.replace(/[\p{Cf}\p{Variation_Selector}]/gu, '');
  if (/^[\s\p{Cc}]*$/u.test(bare)) return bare === '' ? '' : ' ';
  const known = REPLACED.get(bare) ?? (CHARACTERS.has(bare) ? bare : undefined);
  if (known !== undefined) return known;
  const base = bare.normalize('NFKD').replace(/\p{M}/gu, '');
  const letters = Array.from(base, letter => REPLACED.get(letter) ?? letter).join('');
  return [...letters].every(each => CHARACTERS.has(each)) ? letters : undefined;
}
