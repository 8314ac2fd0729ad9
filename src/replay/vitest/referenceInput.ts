import { InvalidArgumentError } from '../../base/errors.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { readReference } from '../reference/readReference.ts';
import type { Reference } from '../reference/reference.ts';
import { segmentsOfTranscript } from '../reference/segmentsOfTranscript.ts';
import { isTranscript, kindOf } from './heard.ts';

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
