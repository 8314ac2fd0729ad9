import { extname } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import { textFormat } from '../../transcript/formats/textFormat.ts';

/** The text that was spoken, as a person transcribed it. */
export interface Reference {
  readonly segments: readonly ReferenceSegment[];
  /** Source format for display: `text`, `json`, `srt`, `vtt`, `ttml` or `cassette`. */
  readonly kind: string;
  /** Damage of a cassette, whose words may be missing or repeated. */
  readonly damage?: readonly string[];
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
export const TEXT_KINDS = ['text', 'json', 'srt', 'vtt', 'ttml'] as const;

export type TextKind = (typeof TEXT_KINDS)[number];
/** A text format, or `cassette` for JSON Lines, which are read from their file. */
export type ReferenceKind = TextKind | 'cassette';

/** File extensions of {@link TEXT_KINDS}, in order of preference where several files exist. */
export const REFERENCE_ENDINGS: readonly string[] = TEXT_KINDS.map(kind =>
  kind === 'text' ? '.txt' : `.${kind}`,
);

/** Returns the format by the extension of a file; undefined for an unknown extension. */
export function kindOfName(path: string): ReferenceKind | undefined {
  const ending = extname(path).toLowerCase();
  return ending === '.jsonl' ? 'cassette' : TEXT_KINDS[REFERENCE_ENDINGS.indexOf(ending)];
}

/** The formats of {@link textFormat} that have words. */
const KINDS: Readonly<Record<string, ReferenceKind>> = {
  'plain text': 'text',
  JSON: 'json',
  'JSON Lines': 'cassette',
  SubRip: 'srt',
  WebVTT: 'vtt',
  TTML: 'ttml',
};

/**
 * Returns the format of a text by its content; the name of its file decides what the content leaves open, such as whether damaged
 * text was meant as JSON.
 *
 * @throws UnreadableReferenceError for another format, such as HTML, whose words are not known
 */
export function kindOfText(text: string, path?: string): ReferenceKind {
  const format = textFormat(text);
  const kind = KINDS[format];
  const named = path === undefined ? undefined : kindOfName(path);
  if (named !== undefined && named !== 'text' && (kind === undefined || kind === 'text')) return named;
  if (kind !== undefined) return kind;
  const expected = 'plain text, SubRip, WebVTT, TTML or a transcript as JSON';
  throw new UnreadableReferenceError({ path }, `expected ${expected}, found ${format}`);
}

/**
 * Thrown for a reference that cannot be read. The message has the place, what was expected and what was found, never
 * the text itself.
 */
export class UnreadableReferenceError extends RxscribeError {
  override name = 'UnreadableReferenceError';
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
