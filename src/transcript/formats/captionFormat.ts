import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import type { Cue } from '../cues/cue.ts';
import { parseTiming, wholeMs } from './timestamp.ts';

/** A caption file is malformed. */
export class CaptionFormatError extends RxscribeError {
  override name = 'CaptionFormatError';
  /** Line of the fault, counted from 1. */
  readonly line: number;
  readonly format: 'SRT' | 'WebVTT' | 'TTML';
  /** The fault as a clause without a full stop. */
  readonly problem: string;

  constructor(format: CaptionFormatError['format'], line: number, problem: string) {
    super('invalid-argument', `Cannot read ${format}, line ${line}: ${problem}.`);
    this.line = line;
    this.format = format;
    this.problem = problem;
  }
}

/** A cue as it is in a file. */
export interface CueBlock extends Pick<Cue, 'ts' | 'endTs'> {
  /** Number of the cue; without one, that of the last cue that has one, or 0. */
  readonly number: number;
  /** Trimmed lines after the timing, with formatting. */
  readonly payload: readonly string[];
}

const NUMBER = /^\d{1,9}$/;
/** First line of a block that is no cue, whatever follows. */
const NO_CUE = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

/**
 * Reads the cues of a file with any line endings, as the parsing rules of WebVTT do
 * (https://www.w3.org/TR/webvtt1/#file-parsing): each timing begins a cue, and other text is skipped. In WebVTT an empty line ends
 * the text of a cue; in SubRip, where it is a mistake, the text goes on to the next timing.
 *
 * A cue that ends before it starts has no duration; one with a damaged timing begins at the end of the cue before.
 *
 * @throws CaptionFormatError when there is text, but no timing at all
 */
export function cueBlocks(text: string, format: 'SRT' | 'WebVTT'): readonly CueBlock[] {
  const cues: CueBlock[] = [];
  /** Lines of the last cue; undefined where text belongs to no cue. */
  let payload: string[] | undefined;
  let number = 0;
  let before = '';
  let isHeader = format === 'WebVTT';
  let isSkipped = false;
  let firstLine: number | undefined;
  // Some programs write two carriage returns a line.
  const lines = text.replace(/^\uFEFF/, '').split(/\r{0,2}\n|\r/);
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    const isBlank = (format === 'SRT' ? line : raw) === '';
    isHeader &&= !isBlank;
    isSkipped = !isBlank && (isSkipped || (before === '' && NO_CUE.test(line)));
    const timing = isSkipped ? undefined : timingOf(line, cues.at(-1)?.endTs);
    // The number of the next cue, also where a blank line follows it.
    const isNumber = before === '' && NUMBER.test(line) && (!payload || Number(line) === number + 1);
    if (timing) {
      if (NUMBER.test(before)) {
        number = Number(before);
        payload?.pop();
      }
      payload = [];
      cues.push({ ...timing, number, payload });
    } else if (isSkipped || (isBlank && format === 'WebVTT')) {
      payload = undefined;
    } else if (isNumber) {
      number = Number(line);
    } else if (!isBlank) {
      payload?.push(line);
    }
    if (!isBlank && !isHeader && !isSkipped) firstLine ??= index + 1;
    before = isNumber ? '' : line;
  }
  if (cues.length > 0 || firstLine === undefined) return cues;
  throw new CaptionFormatError(format, firstLine, 'the cue has no timing');
}

/** Beginning of a timing, also with letters that look like digits. */
const DAMAGED = /^\d{1,5}\s?:[\dOoIl:;.,\s]{2,40}-{1,2}>/;

/** Returns whether a line is a timing, also a damaged one. */
export const isTiming = (line: string) => parseTiming(line) !== undefined || DAMAGED.test(line);

/** Returns the times of a timing; a damaged one has those of the end before, a reversed one no duration. */
export function timingOf(line: string, lastEndTs = 0): Pick<Cue, 'ts' | 'endTs'> | undefined {
  const timing = parseTiming(line);
  if (timing) return { ts: timing.ts, endTs: Math.max(timing.ts, timing.endTs) };
  return DAMAGED.test(line) ? { ts: lastEndTs, endTs: lastEndTs } : undefined;
}

/** Returns lines that are valid in a cue of any format: without blank lines, control characters and non-characters. */
export function cueLines(lines: readonly string[]): readonly string[] {
  return lines
    .map(line =>
      line
        .toWellFormed()
        .replace(/[\uFFFE\uFFFF]/gu, '')
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim(),
    )
    .filter(line => line !== '');
}

/** Returns whether a file, which begins at 0, can show a cue for a millisecond or more. */
export function isShowable({ ts, endTs }: Pick<Cue, 'ts' | 'endTs'>): boolean {
  return Number.isFinite(ts) && Number.isFinite(endTs) && wholeMs(endTs) > wholeMs(ts);
}

/**
 * Returns cues in the order of their starts.
 *
 * @throws InvalidArgumentError for a cue that is not {@link isShowable}
 */
export function orderedCues(cues: readonly Cue[]): readonly Cue[] {
  const fault = cues.find(cue => !isShowable(cue));
  if (!fault) return cues.toSorted((one, other) => one.ts - other.ts);
  throw new InvalidArgumentError(
    `Cannot write captions: caption ${cues.indexOf(fault) + 1} must be on screen for a millisecond or more, not from ${fault.ts} to ${fault.endTs} s.`,
  );
}
