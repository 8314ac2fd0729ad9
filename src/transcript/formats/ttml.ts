import { namedOptions } from '../../base/namedOptions.ts';
import type { Cue } from '../cues/cue.ts';
import { CaptionFormatError, cueLines, orderedCues, timingOf } from './captionFormat.ts';
import { formatTimestamp } from './timestamp.ts';
import { unescapeVtt } from './vtt.ts';

export interface TtmlOptions {
  /** BCP 47 tag of the language; an empty text for an unknown one. Default `en`. */
  readonly language?: string;
}

/** Defaults of {@link TtmlOptions}. */
export const TTML_DEFAULTS = { language: 'en' } as const satisfies Required<TtmlOptions>;

/**
 * Writes cues as EBU-TT-D (EBU Tech 3380), the TTML profile of European broadcasters, which is also IMSC 1 text. Captions are
 * white on black at the bottom of the picture, within a margin of 10 % on each side. Cues without text are left out, and
 * characters that XML cannot have are replaced or removed. They are in the order of their starts. Speakers are not written.
 *
 * @throws InvalidArgumentError for a cue that does not end after it starts
 * @example
 * import { writeTtml } from 'rxscribe';
 *
 * writeTtml([{ ts: 1, endTs: 2.5, lines: ['Good morning.'] }], { language: 'en-GB' });
 */
export function writeTtml(cues: readonly Cue[], options: TtmlOptions = {}): string {
  namedOptions('TtmlOptions', options);
  const paragraphs = ttmlParagraphs(cues, { firstId: 1 });
  // A division without paragraphs is invalid; a document without a body is not.
  return `${headOf(options)}${paragraphs === '' ? '' : BODY_START + paragraphs + BODY_END}${END}`;
}

const BODY_START = '  <tt:body>\n    <tt:div style="caption">\n';
const BODY_END = '    </tt:div>\n  </tt:body>\n';
const END = '</tt:tt>\n';

/**
 * Adds cues to a document of {@link writeTtml}, whose text stays as it is.
 *
 * @returns undefined when the document has another form
 */
export function continueTtml(document: string, cues: readonly Cue[]): string | undefined {
  const state = ttmlState(document);
  if (!state) return undefined;
  const paragraphs = ttmlParagraphs(cues, { firstId: state.lastId + 1 });
  if (paragraphs === '') return document;
  const isEmpty = !document.endsWith(BODY_END + END);
  const before = document.slice(0, -(isEmpty ? END : BODY_END + END).length);
  return `${before}${isEmpty ? BODY_START : ''}${paragraphs}${BODY_END}${END}`;
}

/** The last caption of a document. */
export interface TtmlState {
  /** Number in the id of the last paragraph; 0 without paragraphs. */
  readonly lastId: number;
  /** Latest end of a paragraph in seconds. */
  readonly endTs: number;
}

const PARAGRAPH =
  /^ {6}<tt:p xml:id="c(\d{1,9})" region="bottom" begin="[\d:.]+" end="(\d{2,6}):(\d{2}):(\d{2}\.\d{3})"><tt:span style="text">[^<>]*(?:<tt:br\/>[^<>]*)*<\/tt:span><\/tt:p>$/u;
/** Lines of the head that never differ. */
const HEAD_MARK = '<ebuttm:conformsToStandard>urn:ebu:tt:distribution:2018-04</ebuttm:conformsToStandard>';

/** Returns the last caption of a document of {@link writeTtml}; undefined when the document has another form. */
export function ttmlState(document: string): TtmlState | undefined {
  const headEnd = document.indexOf('  </tt:head>\n');
  if (headEnd < 0 || !document.slice(0, headEnd).includes(HEAD_MARK)) return undefined;
  const rest = document.slice(headEnd + '  </tt:head>\n'.length);
  if (rest === END) return { lastId: 0, endTs: 0 };
  if (!rest.startsWith(BODY_START) || !rest.endsWith(BODY_END + END)) return undefined;
  const lines = rest
    .slice(BODY_START.length, -(BODY_END + END).length)
    .split('\n')
    .slice(0, -1);
  let state: TtmlState = { lastId: 0, endTs: 0 };
  for (const line of lines) {
    const [, id, hours, minutes, seconds] = PARAGRAPH.exec(line) ?? [];
    if (id === undefined) return undefined;
    const endTs = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    state = { lastId: Math.max(state.lastId, Number(id)), endTs: Math.max(state.endTs, endTs) };
  }
  return state;
}

function ttmlParagraphs(cues: readonly Cue[], { firstId }: { readonly firstId: number }): string {
  return orderedCues(cues)
    .map(({ lines, ...cue }) => ({ ...cue, lines: cueLines(lines) }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ ts, endTs, lines }, index) => {
      const times = `begin="${formatTimestamp(ts, '.')}" end="${formatTimestamp(endTs, '.')}"`;
      const text = lines.map(escapeXml).join('<tt:br/>');
      return `      <tt:p xml:id="c${firstId + index}" region="bottom" ${times}><tt:span style="text">${text}</tt:span></tt:p>\n`;
    })
    .join('');
}

/**
 * Returns the head of a document. The grid of cells is that of Tech 3380's example for 16:9: a font of 160 % of a cell is 5.3 % of
 * the height of the picture, so that 42 characters fit into the region.
 */
function headOf({ language = TTML_DEFAULTS.language }: TtmlOptions): string {
  const direction = isRightToLeft(language) ? 'rtl' : 'ltr';
  return `<?xml version="1.0" encoding="UTF-8"?>
<tt:tt xmlns:tt="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ebuttm="urn:ebu:tt:metadata" xmlns:ebutts="urn:ebu:tt:style" ttp:timeBase="media" ttp:cellResolution="50 30" xml:lang="${escapeXml(cueLines([language]).join(''))}">
  <tt:head>
    <tt:metadata>
      <ebuttm:documentMetadata>
        ${HEAD_MARK}
        <ebuttm:conformsToStandard>http://www.w3.org/ns/ttml/profile/imsc1/text</ebuttm:conformsToStandard>
      </ebuttm:documentMetadata>
    </tt:metadata>
    <tt:styling>
      <tt:style xml:id="caption" tts:fontFamily="proportionalSansSerif" tts:fontSize="160%" tts:lineHeight="125%" tts:textAlign="center" tts:direction="${direction}" tts:wrapOption="wrap" ebutts:multiRowAlign="auto" ebutts:linePadding="0.5c"/>
      <tt:style xml:id="text" tts:color="#FFFFFF" tts:backgroundColor="#000000"/>
    </tt:styling>
    <tt:layout>
      <tt:region xml:id="bottom" tts:origin="10% 10%" tts:extent="80% 80%" tts:displayAlign="after" tts:overflow="visible"/>
    </tt:layout>
  </tt:head>
`;
}

const RIGHT_TO_LEFT_SCRIPTS = new Set([
  'Adlm',
  'Arab',
  'Hebr',
  'Mand',
  'Nkoo',
  'Rohg',
  'Samr',
  'Syrc',
  'Thaa',
]);

/** Returns whether a language is written from right to left; false for a tag that is unknown. */
export function isRightToLeft(language: string): boolean {
  try {
    return RIGHT_TO_LEFT_SCRIPTS.has(new Intl.Locale(language).maximize().script ?? '');
  } catch {
    return false;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for an XML element or attribute. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, mark => ESCAPES[mark] ?? mark);
}

/** Beginning of a document: a declaration and comments may stand before its element. */
export const TTML_START = /^\uFEFF?\s*<(?:[?!][^<>]*>\s*<){0,9}(?:[\w-]{1,40}:)?tt[\s>]/;

/**
 * Reads the paragraphs of TTML of any profile, without formatting. A paragraph whose times are not those of a clock, without frames,
 * begins at the end of the one before.
 *
 * @throws CaptionFormatError for another document
 */
export function readTtml(document: string): readonly Cue[] {
  if (!TTML_START.test(document)) {
    throw new CaptionFormatError('TTML', 1, 'the document must be a tt element');
  }
  const cues: Cue[] = [];
  const paragraphs = withoutComments(document).split(/<(?:[\w-]{1,40}:)?p(?=[\s/>])/);
  for (const paragraph of paragraphs.slice(1)) {
    const openEnd = paragraph.indexOf('>');
    const attributes = paragraph.slice(0, openEnd);
    if (attributes.endsWith('/')) continue;
    const [content = ''] = paragraph.slice(openEnd + 1).split(/<\/(?:[\w-]{1,40}:)?p\s*>/, 1);
    const lastEndTs = cues.at(-1)?.endTs ?? 0;
    const timing = timingOf(`${attributeOf(attributes, 'begin')} --> ${attributeOf(attributes, 'end')}`);
    cues.push({ ...(timing ?? { ts: lastEndTs, endTs: lastEndTs }), lines: linesOf(content) });
  }
  return cues;
}

function withoutComments(document: string): string {
  const [before = '', ...parts] = document.split('<!--');
  return before + parts.map(part => part.split('-->').slice(1).join('-->')).join('');
}

function linesOf(content: string): readonly string[] {
  const text = content
    .replace(/\s+/g, ' ')
    .replace(/<(?:[\w-]{1,40}:)?br(?=[\s/>])/g, '\n$&')
    .replace(/<[^>]*>?/g, '');
  return cueLines(unescapeVtt(text).split('\n'));
}

const attributeOf = (attributes: string, name: 'begin' | 'end') =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)`).exec(attributes)?.[1];
