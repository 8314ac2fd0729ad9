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
  let open = false;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|[\r\n]/)
    .entries()) {
    const line = raw.trim();
    if (line !== '' && open) blocks.at(-1)!.lines.push(line);
    else if (line !== '') blocks.push({ line: index + 1, lines: [line] });
    open = line !== '';
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
  const timings = [...lines.keys()].filter(index => parseTiming(lines[index]!));
  return timings.map(index => (/^\d+$/.test(lines[index - 1] ?? '') ? index - 1 : index));
}

function cutAt({ line, lines }: Block, starts: readonly number[]): readonly Block[] {
  return starts.map((start, index) => ({ line: line + start, lines: lines.slice(start, starts[index + 1]) }));
}

/** Returns lines that are valid in a cue of any format: without blank lines, control characters, and what is no character. */
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
  const at = cues.findIndex(cue => !isShowable(cue));
  if (at < 0) return cues.toSorted((one, other) => one.ts - other.ts);
  const { ts, endTs } = cues[at]!;
  throw new InvalidArgumentError(
    `Cannot write captions: caption ${at + 1} must be on screen for a millisecond or more, not from ${ts} to ${endTs} s.`,
  );
}
