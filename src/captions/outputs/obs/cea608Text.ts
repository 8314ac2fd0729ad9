/**
 * Characters of CEA-608: the basic set, which is ASCII but for ten characters, and the special and extended ones, which take two
 * bytes or more. Source: ANSI/CTA-608-E, tables 50 and 5 to 10.
 */
const BASIC =
  ' !"#$%&\u2019()+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]abcdefghijklmnopqrstuvwxyzáéíóúç÷Ññ█';
const EXTENDED = "®°½¿™¢£♪àèâêîôûÁÉÓÚÜü‘¡*'—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖößÅåØø¥¤┌┐└┘";

const basic = new Set(BASIC);
const extended = new Set(EXTENDED);

/** Writings of characters that have no decomposition into characters of the sets. */
const WRITTEN: Readonly<Record<string, string>> = {
  // The straight apostrophe is an extended character, which decoders without the extended set leave out.
  "'": '\u2019',
  '`': '‘',
  '‚': ',',
  '„': '“',
  '–': '-',
  '‐': '-',
  '‑': '-',
  '−': '-',
  '€': 'EUR',
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  ẞ: 'SS',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  ı: 'i',
  Þ: 'Th',
  þ: 'th',
  Ð: 'D',
  ð: 'd',
  '×': 'x',
  '♫': '♪',
};

const isCarried = (text: string) => [...text].every(char => basic.has(char) || extended.has(char));

/**
 * Returns a text in the characters of CEA-608. Letters of other scripts become `?`; other characters that 608 lacks, such as
 * emoji, are left out.
 */
export function cea608Text(text: string): string {
  return [...text.normalize('NFC')].map(cea608Character).join('');
}

function cea608Character(char: string): string {
  const written = WRITTEN[char];
  if (written !== undefined) return written;
  if (isCarried(char)) return char;
  const plain = char.normalize('NFKD').replace(/\p{M}/gu, '');
  if (plain !== '' && isCarried(plain)) return plain;
  return /[\p{L}\p{N}]/u.test(char) ? '?' : '';
}

/** Returns the bytes of a row on the 608 channel: two for a character of the further sets, and an even number in all. */
export function cea608Bytes(row: string): number {
  const bytes = [...row].reduce((sum, char) => sum + (basic.has(char) ? 1 : 2), 0);
  return bytes + (bytes % 2);
}
