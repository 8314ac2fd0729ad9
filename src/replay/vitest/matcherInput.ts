import { InvalidArgumentError } from '../../base/errors.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { elementsOfText } from '../../transcript/text/tokens.ts';
import { readReference } from '../reference/readReference.ts';
import type { Reference } from '../reference/reference.ts';
import { segmentsOfTranscript } from '../reference/transcriptReference.ts';
import type { SessionRun } from '../session/sessionRun.ts';

/** Whatever has words: a text, a transcript, or what holds one, such as a run. */
export type Heard = string | Transcript | { readonly transcript: Transcript };

/** @throws InvalidArgumentError when it has no words */
export function transcriptOf(heard: unknown, matcher: string): Transcript {
  if (typeof heard === 'string') return transcriptOfText(heard);
  if (isTranscript(heard)) return heard;
  const inside = has(heard, 'transcript') ? heard.transcript : undefined;
  if (isTranscript(inside)) return inside;
  throw new InvalidArgumentError(`${matcher}: wanted a text, a transcript or a run, found ${kindOf(heard)}`);
}

export function transcriptOfText(text: string): Transcript {
  return { monologues: [{ speaker: 0, elements: elementsOfText(text) }] };
}

export function isTranscript(value: unknown): value is Transcript {
  return has(value, 'monologues') && Array.isArray(value.monologues);
}

/** @throws InvalidArgumentError when nothing is known of when it was heard */
export function runOf(heard: unknown, matcher: string): SessionRun {
  if (has(heard, 'events') && has(heard, 'audio') && has(heard, 'transcript'))
    return heard as unknown as SessionRun;
  throw new InvalidArgumentError(
    `${matcher}: wanted a run, as observeSession gives it, found ${kindOf(heard)}`,
  );
}

function has<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value;
}

/** Says what a value is and nothing of what is in it. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'object'
    ? `an object with ${Object.keys(value).join(', ') || 'nothing'}`
    : `a ${typeof value}`;
}

/** What was said: a text, a transcript, or a reference that has been read. */
export type ReferenceValue = string | Transcript | Reference;

/** A file that has it: text, JSON of a transcript, SRT, WebVTT, CTM, STM, or a cassette. */
export interface ReferenceFile {
  readonly path: string;
}

/** Uses a reference at once, or when its file has been read. */
export function withReference<T>(
  input: ReferenceValue | ReferenceFile,
  matcher: string,
  use: (reference: Reference) => T,
): T | Promise<T> {
  if (isFile(input)) return readReference(input.path).then(use);
  return use(referenceOf(input, matcher));
}

function referenceOf(input: ReferenceValue, matcher: string): Reference {
  if (typeof input === 'string') return { kind: 'text', segments: [{ text: input }] };
  if (isTranscript(input)) {
    return { kind: 'json', segments: segmentsOfTranscript(input) };
  }
  if (typeof input === 'object' && input !== null && Array.isArray(input.segments)) return input;
  throw new InvalidArgumentError(
    `${matcher}: wanted a reference (text, transcript, reference or { path }), found ${kindOf(input)}`,
  );
}

function isFile(input: unknown): input is ReferenceFile {
  return typeof input === 'object' && input !== null && 'path' in input && typeof input.path === 'string';
}
