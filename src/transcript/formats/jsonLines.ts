import { printableJson } from '../../base/text.ts';
import type { Cue } from '../cues/cue.ts';
import { orderedCues } from './captionFormat.ts';
import { jsonOf } from './jsonOf.ts';
import { wholeMs } from './timestamp.ts';

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
 * Writes cues as JSON Lines, in the order of their starts: one object a caption, with its text as a whole and by lines.
 *
 * @throws InvalidArgumentError for a cue that does not end after it starts
 * @example
 * import { writeJsonLines } from 'rxscribe';
 *
 * writeJsonLines([{ ts: 1, endTs: 2.5, lines: ['Good', 'morning.'] }]);
 * // '{"type":"caption","ts":1,"end_ts":2.5,"text":"Good morning.","lines":["Good","morning."]}\n'
 */
export function writeJsonLines(cues: readonly Cue[]): string {
  return orderedCues(cues)
    .map(cue => `${printableJson(lineOf(cue))}\n`)
    .join('');
}

function lineOf({ ts, endTs, lines, speaker }: Cue): CaptionLine {
  const times = { ts: wholeMs(ts) / 1000, end_ts: wholeMs(endTs) / 1000 };
  return { type: 'caption', ...times, speaker, text: lines.join(' '), lines };
}

/** The end of a file of captions as JSON Lines. */
export interface JsonLinesState {
  /** End of the last caption in seconds. */
  readonly endTs: number;
  /** Length of the whole lines, in UTF-16 units: a last line that was cut off is left out. */
  readonly length: number;
}

/** Returns the end of a file of {@link writeJsonLines}; undefined when the file has another form. */
export function jsonLinesState(file: string): JsonLinesState | undefined {
  const lastLineAt = file.lastIndexOf('\n') + 1;
  const length = captionLine(file.slice(lastLineAt)) ? file.length : lastLineAt;
  let endTs = 0;
  for (const text of file.slice(0, length).split('\n')) {
    if (text === '') continue;
    const line = captionLine(text);
    if (!line) return undefined;
    endTs = Math.max(endTs, line.end_ts);
  }
  return length === 0 && file !== '' ? undefined : { endTs, length };
}

function captionLine(text: string): CaptionLine | undefined {
  const line = jsonOf(text) as CaptionLine | null | undefined;
  const isCaption = line?.type === 'caption' && Number.isFinite(line.ts) && Number.isFinite(line.end_ts);
  return isCaption ? line : undefined;
}

/**
 * Adds cues to a file of {@link writeJsonLines}, whose text stays as it is, but for a last line that was cut off.
 *
 * @returns undefined when the file has another form
 */
export function continueJsonLines(file: string, cues: readonly Cue[]): string | undefined {
  const state = jsonLinesState(file);
  if (!state) return undefined;
  const before = file.slice(0, state.length);
  return before + (before === '' || before.endsWith('\n') ? '' : '\n') + writeJsonLines(cues);
}
