import { RxscribeError } from '../../base/errors.ts';

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

/** Lines as they can stand in a cue: no line ends in them, none blank. */
export function cueLines(lines: readonly string[]): readonly string[] {
  return lines.map(line => line.replace(/\s+/gu, ' ').trim()).filter(line => line !== '');
}
