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
import { escapeVtt, plainVtt, voiceOf } from './vttText.ts';

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
