import { InvalidArgumentError } from '../../base/errors.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { elementsOfText } from '../../transcript/text/tokens.ts';
import { readReference } from '../reference/readReference.ts';
import type { Reference } from '../reference/reference.ts';
import { segmentsOfTranscript } from '../reference/transcriptReference.ts';
import type { SessionRun } from '../session/sessionRun.ts';

/** Returns the transcript of a text, a transcript, or an object with one, such as a run. @throws InvalidArgumentError when it has none */
export function transcriptOf(received: unknown, matcher: string): Transcript {
  if (typeof received === 'string') return transcriptOfText(received);
  if (isTranscript(received)) return received;
  const inside = has(received, 'transcript') ? received.transcript : undefined;
  if (isTranscript(inside)) return inside;
  throw new InvalidArgumentError(
    `${matcher}() requires a text, a transcript or a run, not ${kindOf(received)}.`,
  );
}

export function transcriptOfText(text: string): Transcript {
  return { monologues: [{ speaker: 0, elements: elementsOfText(text) }] };
}

function isTranscript(value: unknown): value is Transcript {
  return has(value, 'monologues') && Array.isArray(value.monologues);
}

/** Returns a value as a run. @throws InvalidArgumentError when it has no times */
export function runOf(received: unknown, matcher: string): SessionRun {
  if (has(received, 'events') && has(received, 'audio') && has(received, 'transcript'))
    return received as unknown as SessionRun;
  throw new InvalidArgumentError(`${matcher}() requires a run of observeSession(), not ${kindOf(received)}.`);
}

function has<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value;
}

/** Describes a value by its type, without its content. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'object'
    ? `an object with ${Object.keys(value).join(', ') || 'nothing'}`
    : `a ${typeof value}`;
}

/** A reference: a text, a transcript, or a reference that has been read. */
export type ReferenceValue = string | Transcript | Reference;

/** A reference in a file: text, JSON of a transcript, SRT, WebVTT, CTM, STM, or a cassette. */
export interface ReferenceFile {
  readonly path: string;
}

/** Calls `use` with a reference immediately, or after reading its file. */
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
  if (isTranscript(input)) return { kind: 'json', segments: segmentsOfTranscript(input) };
  if (typeof input === 'object' && input !== null && Array.isArray(input.segments)) return input;
  throw new InvalidArgumentError(
    `${matcher}() requires a reference (a text, a transcript, a reference or { path }), not ${kindOf(input)}.`,
  );
}

function isFile(input: unknown): input is ReferenceFile {
  return has(input, 'path') && typeof input.path === 'string';
}
