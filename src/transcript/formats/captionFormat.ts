import { RxscribeError } from '../../base/errors.ts';
import { parseTiming } from './timestamp.ts';

/** A caption file is malformed. */
export class CaptionFormatError extends RxscribeError {
  /** Where, counted from 1. */
  readonly line: number;

  constructor(format: 'SRT' | 'WebVTT', line: number, problem: string) {
    super('invalid-argument', `${format}: line ${line}: ${problem}`);
    this.line = line;
  }
}

/** Lines that stand together, without the blank ones around them. */
export interface Block {
  /** The number of its first line, counted from 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

/** The blocks of a file, whatever its line ends; a byte order mark is passed over. */
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

/** The cues of a block: each further timing begins another, where a writer left no blank line. */
export function cuesOfBlock(block: Block): readonly Block[] {
  return cutAt(block, [0, ...timingsIn(block).slice(1)]);
}

/** The cues that follow the lines of a header without a blank line. */
export function cuesOfHeader(header: Block): readonly Block[] {
  return cutAt(header, timingsIn(header));
}

/** Indexes of the timings in a block, or of the cue numbers before them. */
function timingsIn({ lines }: Block): readonly number[] {
  const timings = [...lines.keys()].filter(index => parseTiming(lines[index]!));
  return timings.map(index => (/^\d+$/.test(lines[index - 1] ?? '') ? index - 1 : index));
}

function cutAt({ line, lines }: Block, starts: readonly number[]): readonly Block[] {
  return starts.map((start, index) => ({ line: line + start, lines: lines.slice(start, starts[index + 1]) }));
}

/** Lines as they can stand in a cue: no line ends in them, none blank. */
export function cueLines(lines: readonly string[]): readonly string[] {
  return lines.map(line => line.replace(/\s+/gu, ' ').trim()).filter(line => line !== '');
}
