import type { Cue } from '../cues/cue.ts';
import {
  type Block,
  blocksOf,
  CaptionFormatError,
  cueLines,
  cuesOfBlock,
  cuesOfHeader,
} from './captionFormat.ts';
import { formatTimestamp, parseTiming } from './timestamp.ts';

/**
 * Cues as WebVTT (https://www.w3.org/TR/webvtt1/); who speaks is a voice span.
 *
 * @example
 * await writeFile('talk.vtt', writeVtt(captionCues(transcript, { profile: CAPTION_PROFILES.bbc })));
 */
export function writeVtt(cues: readonly Cue[]): string {
  return ['WEBVTT\n', ...cues.map(writeCue)].join('\n');
}

function writeCue({ ts, endTs, lines, speaker }: Cue): string {
  const timing = `${formatTimestamp(ts, '.')} --> ${formatTimestamp(endTs, '.')}`;
  const voice = speaker === undefined ? '' : `<v ${escapeVtt(speaker.replace(/\s+/gu, ' ').trim())}>`;
  const text = cueLines(lines).map((line, index) => (index === 0 ? voice : '') + escapeVtt(line));
  return `${[timing, ...text].join('\n')}\n`;
}

/**
 * Reads WebVTT. Identifiers, cue settings, tags, and NOTE, STYLE and REGION blocks are passed over.
 *
 * @throws CaptionFormatError where the signature is missing, or a cue has no timing or ends before it starts
 */
export function readVtt(text: string): readonly Cue[] {
  const [header, ...blocks] = blocksOf(text);
  if (header?.line !== 1 || !/^WEBVTT(?:\s|$)/.test(header.lines[0]!)) {
    throw new CaptionFormatError('WebVTT', 1, 'expected WEBVTT, found another beginning');
  }
  const cueBlocks = blocks.filter(block => !/^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(block.lines[0]!));
  return [...cuesOfHeader(header), ...cueBlocks.flatMap(cuesOfBlock)].map(cueOf);
}

function cueOf({ line, lines }: Block): Cue {
  const at = parseTiming(lines[0]!) ? 0 : 1;
  const timing = parseTiming(lines[at] ?? '');
  if (!timing) throw new CaptionFormatError('WebVTT', line, 'expected a timing, found none');
  if (timing.endTs < timing.ts) {
    throw new CaptionFormatError('WebVTT', line + at, 'expected an end that is not before the start');
  }
  // Tags may span lines.
  const payload = lines.slice(at + 1).join('\n');
  const speaker = voiceOf(payload);
  return { ...timing, lines: cueLines(plainVtt(payload).split('\n')), ...(speaker && { speaker }) };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The references that WebVTT files use (https://www.w3.org/TR/webvtt1/#webvtt-cue-text). */
const REFERENCES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  lrm: '\u200E',
  rlm: '\u200F',
};

/** Text as it stands in a WebVTT cue. */
export function escapeVtt(text: string): string {
  return text.replace(/[&<>]/g, mark => ESCAPES[mark]!);
}

/** The text of a WebVTT cue without its tags and escapes. */
export function plainVtt(payload: string): string {
  return unescapeVtt(payload.replace(/<[^>]*>?/g, ''));
}

/** The annotation of the first voice span of a WebVTT cue. */
export function voiceOf(payload: string): string | undefined {
  const annotation = /<v(?:\.[^\s<>]*)?\s([^<>]*)>/.exec(payload)?.[1];
  return annotation === undefined
    ? undefined
    : unescapeVtt(annotation.replace(/\s+/gu, ' ').trim()) || undefined;
}

/** Text with the characters that its references stand for; SubRip files have the same. */
export function unescapeVtt(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([a-z]{1,8}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return REFERENCES[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
