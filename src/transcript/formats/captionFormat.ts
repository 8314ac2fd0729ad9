import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import type { Cue } from '../cues/cue.ts';
import { parseTiming, wholeMs } from './timestamp.ts';

/** A caption file is malformed. */
export class CaptionFormatError extends RxscribeError {
  /** Line of the fault, counted from 1. */
  readonly line: number;
  readonly format: 'SRT' | 'WebVTT';
  /** The fault as a clause without a full stop. */
  readonly problem: string;

  constructor(format: 'SRT' | 'WebVTT', line: number, problem: string) {
    super('invalid-argument', `Cannot read ${format}, line ${line}: ${problem}.`);
    this.line = line;
    this.format = format;
    this.problem = problem;
  }
}

/** Consecutive lines between blank ones. */
export interface Block {
  /** Number of the first line, counted from 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

/** Splits a file with any line endings into blocks; a byte order mark is skipped. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: { line: number; lines: string[] }[] = [];
  let open: { line: number; lines: string[] } | undefined;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|[\r\n]/);
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === '') open = undefined;
    else if (open) open.lines.push(line);
    else {
      open = { line: index + 1, lines: [line] };
      blocks.push(open);
    }
  }
  return blocks;
}

/** Splits a block into cues: each timing starts one, even without a blank line before it. */
export function cuesOfBlock(block: Block): readonly Block[] {
  return cutAt(block, [0, ...timingsIn(block).slice(1)]);
}

/** Returns the cues that follow a header without a blank line. */
export function cuesOfHeader(header: Block): readonly Block[] {
  return cutAt(header, timingsIn(header));
}

/** Returns the indexes of the timings in a block, or of the cue numbers before them. */
function timingsIn({ lines }: Block): readonly number[] {
  const timings = [...lines.entries()].filter(([, line]) => parseTiming(line));
  return timings.map(([index]) => (/^\d+$/.test(lines[index - 1] ?? '') ? index - 1 : index));
}

function cutAt({ line, lines }: Block, starts: readonly number[]): readonly Block[] {
  return starts.map((start, index) => ({ line: line + start, lines: lines.slice(start, starts[index + 1]) }));
}

/** A timing, and the lines after it. */
export interface TimedBlock {
  readonly timing: Pick<Cue, 'ts' | 'endTs'>;
  readonly payload: readonly string[];
}

/**
 * Returns the timing of a cue, which is in its first line, or in the second one after a number or an identifier.
 *
 * @throws CaptionFormatError when the cue has no timing, or ends before it starts
 */
export function timedBlock({ line, lines }: Block, format: CaptionFormatError['format']): TimedBlock {
  for (const [at, text] of lines.slice(0, 2).entries()) {
    const timing = parseTiming(text);
    if (!timing) continue;
    if (timing.endTs >= timing.ts) return { timing, payload: lines.slice(at + 1) };
    throw new CaptionFormatError(format, line + at, 'the cue ends before it starts');
  }
  throw new CaptionFormatError(format, line, 'the cue has no timing');
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
