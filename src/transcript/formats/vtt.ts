import type { Cue } from '../cues/cue.ts';
import { CaptionFormatError, cueBlocks, cueLines, orderedCues } from './captionFormat.ts';
import { formatTimestamp } from './timestamp.ts';

/**
 * Writes cues as WebVTT (https://www.w3.org/TR/webvtt1/), in the order of their starts, with speakers as voice spans.
 *
 * @throws InvalidArgumentError for a cue that does not end after it starts
 * @example
 * import { writeVtt } from 'rxscribe';
 *
 * writeVtt([{ ts: 1, endTs: 2.5, lines: ['Good morning.'], speaker: 'Ada' }]);
 * // 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<v Ada>Good morning.\n'
 */
export function writeVtt(cues: readonly Cue[]): string {
  return ['WEBVTT\n', ...orderedCues(cues).map(writeCue)].join('\n');
}

/** Adds cues to a WebVTT file, whose text stays as it is. @throws InvalidArgumentError as {@link writeVtt} */
export function continueVtt(file: string, cues: readonly Cue[]): string {
  const parting = file.endsWith('\n') ? '' : '\n';
  return [file + parting, ...orderedCues(cues).map(writeCue)].join('\n');
}

function writeCue({ ts, endTs, lines, speaker = '' }: Cue): string {
  const timing = `${formatTimestamp(ts, '.')} --> ${formatTimestamp(endTs, '.')}`;
  const [name] = cueLines([speaker]);
  const voice = name === undefined ? '' : `<v ${escapeVtt(name)}>`;
  const text = cueLines(lines).map((line, index) => (index === 0 ? voice : '') + escapeVtt(line));
  return `${[timing, ...text].join('\n')}\n`;
}

/**
 * Reads WebVTT by its parsing rules. Identifiers, cue settings, tags, NOTE, STYLE and REGION blocks and text outside of cues are
 * ignored.
 *
 * @throws CaptionFormatError when the signature is missing, or the file has text, but no cue
 * @example
 * import { readVtt } from 'rxscribe';
 *
 * readVtt('WEBVTT\n\n00:01.000 --> 00:02.500\nGood morning.\n')[0]?.lines; // ['Good morning.']
 */
export function readVtt(text: string): readonly Cue[] {
  if (!VTT_SIGNATURE.test(text)) {
    throw new CaptionFormatError('WebVTT', 1, 'the file must begin with WEBVTT');
  }
  return cueBlocks(text, 'WebVTT').map(({ ts, endTs, payload }) => {
    // Tags may span lines.
    const said = payload.join('\n');
    return { ts, endTs, lines: cueLines(plainVtt(said).split('\n')), speaker: voiceOf(said) };
  });
}

const VTT_SIGNATURE = /^\uFEFF?WEBVTT(?:\s|$)/;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Character references of WebVTT (https://www.w3.org/TR/webvtt1/#webvtt-cue-text). */
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

/** Escapes text for a WebVTT cue. */
function escapeVtt(text: string): string {
  return text.replace(/[&<>]/g, mark => ESCAPES[mark] ?? mark);
}

/** Returns the text of a WebVTT cue without tags and escapes. */
function plainVtt(payload: string): string {
  return unescapeVtt(payload.replace(/<[^>]*>?/g, ''));
}

/** Returns the annotation of the first voice span of a WebVTT cue. */
function voiceOf(payload: string): string | undefined {
  const annotation = /<v(?:\.[^\s<>]*)?\s([^<>]*)>/.exec(payload)?.[1];
  return annotation === undefined
    ? undefined
    : unescapeVtt(annotation.replace(/\s+/gu, ' ').trim()) || undefined;
}

/** Replaces the character references in a text, of WebVTT or SubRip. */
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
