import { printableJson } from '../../base/text.ts';
import type { Cue } from '../cues/cue.ts';

/** A line of a JSON Lines file. Times are in seconds. */
interface CaptionLine {
  readonly type: 'caption';
  readonly ts: number;
  readonly end_ts: number;
  readonly speaker?: string;
  readonly text: string;
  readonly lines: readonly string[];
}

/**
 * Writes cues as JSON Lines: one object a caption, with its text as a whole and by lines.
 *
 * @example
 * import { writeJsonLines } from 'rxscribe';
 *
 * writeJsonLines([{ ts: 1, endTs: 2.5, lines: ['Good', 'morning.'] }]);
 * // '{"type":"caption","ts":1,"end_ts":2.5,"text":"Good morning.","lines":["Good","morning."]}\n'
 */
export function writeJsonLines(cues: readonly Cue[]): string {
  return cues.map(cue => `${printableJson(lineOf(cue))}\n`).join('');
}

function lineOf({ ts, endTs, lines, speaker }: Cue): CaptionLine {
  const times = { ts: wholeMs(ts), end_ts: wholeMs(endTs) };
  return {
    type: 'caption',
    ...times,
    ...(speaker !== undefined && { speaker }),
    text: lines.join(' '),
    lines,
  };
}

const wholeMs = (seconds: number) => Math.round(seconds * 1000) / 1000;
