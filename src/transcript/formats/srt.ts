import type { Cue } from '../cues/cue.ts';
import { type Block, blocksOf, CaptionFormatError, cueLines, cuesOfBlock } from './captionFormat.ts';
import { formatTimestamp, parseTiming } from './timestamp.ts';

/**
 * Cues as SubRip, which cannot say who speaks.
 *
 * @example
 * await writeFile('talk.srt', writeSrt(captionCues(transcript)));
 */
export function writeSrt(cues: readonly Cue[]): string {
  return cues
    .map((cue, index) => {
      const timing = `${formatTimestamp(cue.ts, ',')} --> ${formatTimestamp(cue.endTs, ',')}`;
      return `${[index + 1, timing, ...cueLines(cue.lines)].join('\n')}\n\n`;
    })
    .join('');
}

/**
 * Reads SubRip as it is found: numbers may be missing or wrong, formatting (`<i>`, `{\an8}`) is taken off.
 *
 * @throws CaptionFormatError where a cue has no timing, or ends before it starts
 */
export function readSrt(text: string): readonly Cue[] {
  return blocksOf(text).flatMap(cuesOfBlock).map(cueOf);
}

function cueOf({ line, lines }: Block): Cue {
  const at = parseTiming(lines[0]!) ? 0 : 1;
  const timing = parseTiming(lines[at] ?? '');
  if (!timing) throw new CaptionFormatError('SRT', line, 'expected a cue number and a timing, found neither');
  if (timing.endTs < timing.ts) {
    throw new CaptionFormatError('SRT', line + at, 'expected an end that is not before the start');
  }
  return { ...timing, lines: cueLines(lines.slice(at + 1).map(plain)) };
}

const plain = (line: string) => line.replace(/<\/?(?:b|i|u|s|font)(?:\s[^<>]*)?>|\{\\[^{}]*\}/gi, '');
