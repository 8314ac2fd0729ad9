import { extname } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';

/** What was said, as a person wrote it down. */
export interface Reference {
  readonly segments: readonly ReferenceSegment[];
  /** Where it comes from, to be shown: `text`, `json`, `srt`, `vtt`, `ctm`, `stm`, `cassette`. */
  readonly kind: string;
}

/** What one speaker said. */
export interface ReferenceSegment {
  readonly text: string;
  /** Seconds since the start of the audio, where they are known. */
  readonly ts?: number;
  readonly endTs?: number;
  /** A name or number, where it is known. */
  readonly speaker?: string;
}

/** What a reference can be read from as text. */
export const TEXT_KINDS = ['text', 'json', 'srt', 'vtt', 'ctm', 'stm'] as const;

export type TextKind = (typeof TEXT_KINDS)[number];
/** A cassette is what was heard when it was recorded; it is read from its file. */
export type ReferenceKind = TextKind | 'cassette';

const KIND_OF_ENDING: ReadonlyMap<string, ReferenceKind> = new Map([
  ['.txt', 'text'],
  ['.json', 'json'],
  ['.srt', 'srt'],
  ['.vtt', 'vtt'],
  ['.ctm', 'ctm'],
  ['.stm', 'stm'],
  ['.jsonl', 'cassette'],
]);

/** Endings of references that are texts, the one that is taken first where there are several. */
export const REFERENCE_ENDINGS: readonly string[] = [...KIND_OF_ENDING.keys()].filter(
  ending => KIND_OF_ENDING.get(ending) !== 'cassette',
);

/** By the ending of a name; undefined where that does not tell. */
export function kindOfName(path: string): ReferenceKind | undefined {
  return KIND_OF_ENDING.get(extname(path).toLowerCase());
}

const TIMING = /^\s*(?:\d+:)?\d{1,2}:\d{1,2}[.,]\d{1,3}\s*-->/;
const CTM = /^\S+\s+\S+\s+\d[\d.]*\s+\d[\d.]*\s+\S+(?:\s+\S+){0,3}$/;
const STM = /^\S+\s+\S+\s+\S+\s+\d[\d.]*\s+\d[\d.]*(?:\s|$)/;

/** By the first lines of a text. */
export function kindOfText(text: string): ReferenceKind {
  const lines = text
    .slice(0, 4096)
    .split(/\r\n|[\r\n]/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith(';;'));
  const [first = '', second = ''] = lines;
  if (/^WEBVTT(?:\s|$)/.test(first)) return 'vtt';
  if (/^\{\s*"type"\s*:\s*"cassette"/.test(first)) return 'cassette';
  if (first.startsWith('{')) return 'json';
  if (TIMING.test(first) || (/^\d+$/.test(first) && TIMING.test(second))) return 'srt';
  if (STM.test(first)) return 'stm';
  return CTM.test(first) ? 'ctm' : 'text';
}

/** A reference that cannot be read. It says where, what was wanted and what was found, never its text. */
export class UnreadableReferenceError extends RxscribeError {
  /** From 1. Absent: the file as a whole. */
  readonly line?: number;

  constructor(
    { path, line }: { readonly path?: string; readonly line?: number },
    fault: string,
    options?: { cause?: unknown },
  ) {
    const place = [path, line === undefined ? undefined : `line ${line}`].filter(part => part !== undefined);
    const at = place.length > 0 ? ` ${place.join(', ')}` : '';
    super('unreadable-input', `read reference${at}: ${fault}`, options);
    if (line !== undefined) this.line = line;
  }
}
