import { isTiming } from './captionFormat.ts';
import { isPlainText } from './plainText.ts';
import { TTML_START } from './ttml.ts';

const CASSETTE = /^\{\s*"type"\s*:\s*"cassette"/;
const JSON_LINE = /^\{\s*"/;

/** Formats by the beginning of a text. */
const SIGNS: readonly (readonly [format: string, sign: RegExp])[] = [
  ['WebVTT', /^WEBVTT(?:\s|$)/],
  ['TTML', TTML_START],
  ['XML or HTML', /^<(?:[!?]|([a-z][\w:.-]{0,40})(?:\s[^<>]*)?>[\s\S]*<\/\1\s*>)/i],
  ['JSON', /^(?:\{\s*["}]|\[\s*[\]{])/],
  ['Scenarist Closed Captions', /^Scenarist_SCC/i],
  ['SubStation Alpha', /^(?:\[(?:Script Info|V4\+? Styles|Events)\]|Dialogue:[^,\n]*,\d+:\d)/i],
  ['LRC', /^\[(?:(?:ar|ti|al|au|length|offset):|\d+:\d\d\.\d)/i],
  ['MicroDVD', /^([[{])[\d:]+[\]}]\1[\d:]*[\]}]/],
  ['Rich Text Format', /^\{\\rtf/],
  ['PDF', /^%PDF-/],
  ['TextGrid', /^File type = "ooTextFile/],
];

const STM = /^\S+\s+\S+\s+\S+\s+\d[\d.]*\s+\d[\d.]*(?:\s|$)/;
const CTM = /^\S+\s+\S+\s+(?:[\d.]+\s+[\d.]+|\*\s+\*)\s+\S+(?:\s+\S+){0,3}$/;
/** Times before a text, or names of such columns. */
const TABLE =
  /^(?:\d[\d.]*[\t;]\d[\d.]*[\t;]|\d+\.\d+,\d+\.\d+,|"?(?:start|begin)\w*"?[\t,;]"?(?:end|stop|dur))/i;

/** A time with a fraction or frames, which no text has. */
const TIMECODE = /(?:^|[\s,;[({<])\d{1,3}:\d\d:\d\d[.,:;]\d/;
/** Marks in the lines of text with markup. */
const MARKS: readonly RegExp[] = [
  // A time that stands apart from the words.
  /(?:^|[\t,;]|\s{2})\d{1,3}(?::\d\d){1,2}(?:[.,]\d+)?(?:[\s,;-]|$)/,
  /[[({<]\d{1,3}(?::\d\d){1,2}(?:[.,]\d+)?[\])}>]/,
  // A tag that is closed or has attributes.
  /<(?:\/[a-z][^<>]*|[a-z][^<>]*["'/])>/i,
  // A command of TeX, or double brackets.
  /\\[a-z]{2,}[\s\\{\d]|\{\{|\[\[/i,
  // A field with a number.
  /^(?:-\s+)?"?\w+"?\s*[:=]\s*[\d.]+,?$/,
];
/** Fewest lines with marks that are markup, and their smallest share. */
const MIN_MARKED = 2;
const MIN_MARKED_SHARE = 1 / 3;

/** Formats of {@link textFormat} of a text that people read. */
export const READABLE_TEXT: readonly string[] = ['plain text', 'text with unknown markup'];

/**
 * Returns the format of a text by its content, for display: `plain text`, `SubRip`, `WebVTT`, `TTML`, `JSON`, `JSON Lines`, `STM`,
 * `CTM`, or another one, whose words are not known. A single line is STM or CTM only if its times have points.
 */
export function textFormat(text: string): string {
  const head = text.replace(/^\uFEFF/, '').trimStart();
  const lines = linesOf(head);
  const [first = '', second = ''] = lines;
  if (CASSETTE.test(first) || (JSON_LINE.test(first) && JSON_LINE.test(second))) return 'JSON Lines';
  const [signed] = SIGNS.find(([, sign]) => sign.test(head)) ?? [];
  if (signed !== undefined) return signed;
  if (lines.some(isTiming)) return 'SubRip';
  if (isEach(lines, STM)) return 'STM';
  if (isEach(lines, CTM)) return 'CTM';
  if (TABLE.test(first)) return 'a table';
  return isMarkup(lines) && !isPlainText(first) ? 'text with unknown markup' : 'plain text';
}

function isMarkup(lines: readonly string[]): boolean {
  const marked = lines.filter(line => MARKS.some(mark => mark.test(line))).length;
  const isMuch = marked >= MIN_MARKED && marked >= lines.length * MIN_MARKED_SHARE;
  return isMuch || lines.some(line => TIMECODE.test(line));
}

/** Length of the beginning by whose lines a format is recognised, in UTF-16 units. */
const HEAD_LENGTH = 16_384;

/** Returns the first lines that are not blank, whole if there are several. */
function linesOf(text: string): readonly string[] {
  const lines = text.slice(0, HEAD_LENGTH).split(/\r\n|[\r\n]/);
  const whole = text.length > HEAD_LENGTH && lines.length > 1 ? lines.slice(0, -1) : lines;
  return whole.map(line => line.trim()).filter(line => line !== '');
}

/** Returns whether each line of NIST is one of a format. Comments begin with `;;`. */
function isEach(lines: readonly string[], format: RegExp): boolean {
  const data = lines.filter(line => !line.startsWith(';;'));
  return data.every(line => format.test(line)) && (data.length > 1 || /\s\d*\.\d+\s/.test(data[0] ?? ''));
}
