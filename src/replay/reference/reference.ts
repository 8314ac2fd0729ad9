import { extname } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';

/** The text that was spoken, as a person transcribed it. */
export interface Reference {
  readonly segments: readonly ReferenceSegment[];
  /** Source format for display: `text`, `json`, `srt`, `vtt`, `ctm`, `stm`, `cassette` or `log`. */
  readonly kind: string;
}

/** A stretch of speech of one speaker. */
export interface ReferenceSegment {
  readonly text: string;
  /** Times in seconds since the start of the audio, when known. */
  readonly ts?: number;
  readonly endTs?: number;
  /** Name or number of the speaker, when known. */
  readonly speaker?: string;
}

/** Text formats of references. */
export const TEXT_KINDS = ['text', 'json', 'srt', 'vtt', 'ctm', 'stm'] as const;

export type TextKind = (typeof TEXT_KINDS)[number];
/** A text format, or `cassette` for JSON Lines that are read from their file: the transcript of a cassette, or a log of messages. */
export type ReferenceKind = TextKind | 'cassette';

/** File extensions of {@link TEXT_KINDS}, in order of preference where several files exist. */
export const REFERENCE_ENDINGS: readonly string[] = ['.txt', '.json', '.srt', '.vtt', '.ctm', '.stm'];

/** Returns the format by the extension of a file; undefined for an unknown extension. */
export function kindOfName(path: string): ReferenceKind | undefined {
  const ending = extname(path).toLowerCase();
  return ending === '.jsonl' ? 'cassette' : TEXT_KINDS[REFERENCE_ENDINGS.indexOf(ending)];
}

const TIMING = /^\s*(?:\d+:)?\d{1,2}:\d{1,2}[.,]\d{1,3}\s*-->/;
const CTM = /^\S+\s+\S+\s+\d[\d.]*\s+\d[\d.]*\s+\S+(?:\s+\S+){0,3}$/;
const STM = /^\S+\s+\S+\s+\S+\s+\d[\d.]*\s+\d[\d.]*(?:\s|$)/;

const isObject = (line: string) => line.startsWith('{');

/** Returns the format by the first lines of a text. */
export function kindOfText(text: string): ReferenceKind {
  const lines = text
    .slice(0, 4096)
    .split(/\r\n|[\r\n]/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith(';;'));
  const [first = '', second = ''] = lines;
  if (/^WEBVTT(?:\s|$)/.test(first)) return 'vtt';
  if (/^\{\s*"type"\s*:\s*"cassette"/.test(first) || [first, second].every(isObject)) return 'cassette';
  if (first.startsWith('{')) return 'json';
  if (TIMING.test(first) || (/^\d+$/.test(first) && TIMING.test(second))) return 'srt';
  if (STM.test(first)) return 'stm';
  return CTM.test(first) ? 'ctm' : 'text';
}

/**
 * Thrown for a reference that cannot be read. The message has the place, what was expected and what was found, never
 * the text itself.
 */
export class UnreadableReferenceError extends RxscribeError {
  /** Line number from 1. Absent when the whole file is concerned. */
  readonly line?: number;

  constructor(
    { path, line }: { readonly path?: string; readonly line?: number },
    fault: string,
    options?: { cause?: unknown },
  ) {
    const file = path === undefined ? '' : ` '${path}'`;
    const at = `${file}${line === undefined ? '' : `, line ${line}`}`;
    super('unreadable-input', `Cannot read the reference${at}: ${fault}.`, options);
    if (line !== undefined) this.line = line;
  }
}
