import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { elementsOfText } from '../../transcript/text/tokens.ts';
import { readReference } from '../reference/readReference.ts';
import type { Reference } from '../reference/reference.ts';
import { segmentsOfTranscript } from '../reference/transcriptReference.ts';
import type { SessionRun } from '../session/sessionRun.ts';

/**
 * Returns the transcript of a text, a transcript, or an object with one, such as a run.
 *
 * @throws InvalidArgumentError when it has none
 * @throws RxscribeError `invalid-state` for a run that failed
 */
export function transcriptOf(received: unknown, matcher: string): Transcript {
  refuseFailed(received, matcher);
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

/**
 * Returns a value as a run.
 *
 * @throws InvalidArgumentError when it has no times
 * @throws RxscribeError `invalid-state` for a run that failed
 */
export function runOf(received: unknown, matcher: string): SessionRun {
  refuseFailed(received, matcher);
  if (has(received, 'events') && has(received, 'audio') && has(received, 'transcript'))
    return received as unknown as SessionRun;
  throw new InvalidArgumentError(`${matcher}() requires a run of observeSession(), not ${kindOf(received)}.`);
}

/** Fails a matcher, even with `.not`, because nothing is known about the result of a run that failed. */
function refuseFailed(received: unknown, matcher: string): void {
  const failure = has(received, 'failure') ? received.failure : undefined;
  if (failure === undefined) return;
  const message = `${matcher}() requires the result of a run, but the run failed: ${messageOf(failure)}`;
  throw new RxscribeError('invalid-state', message, { cause: failure });
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

/** A reference in a file: text, JSON of a transcript, SRT, WebVTT, TTML, or a cassette. */
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

/** The result of a matcher for `expect.extend`. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The findings of a matcher, as parts of a sentence: `expected <subject> to <claim>, but <found>`. */
export interface Finding {
  readonly pass: boolean;
  readonly subject: string;
  readonly claim: string;
  readonly found: string;
  /** Details that are shown after a failure. */
  readonly details?: () => string;
}

/** Returns a verdict whose message fits a matcher that failed, and one with `.not` that did not. */
export function verdict({ pass, subject, claim, found, details }: Finding): Verdict {
  return {
    pass,
    message: () => {
      const sentence = `expected ${subject} ${pass ? 'not ' : ''}to ${claim}, but ${found}`;
      const more = pass ? '' : (details?.() ?? '');
      return more === '' ? sentence : `${sentence}\n\n${more}`;
    },
  };
}

/** Formats a number with four decimals at most. */
export function shown(value: number): string {
  return String(Number(value.toFixed(4)));
}

/** Returns a valid limit. @throws InvalidArgumentError for a limit that is not a number */
export function checkedLimit(limit: number, matcher: string): number {
  if (typeof limit === 'number' && !Number.isNaN(limit)) return limit;
  throw new InvalidArgumentError(
    `The limit of ${matcher}() must be a number, not ${typeof limit === 'number' ? 'NaN' : kindOf(limit)}.`,
  );
}
