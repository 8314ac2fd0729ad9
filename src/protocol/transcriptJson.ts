import { type Static, Type } from 'typebox';
import type { Monologue, TextElement, Transcript, TranscriptElement } from '../transcript/model/model.ts';

/** The wire format of {@link Transcript}. */

/** A word. Numbers out of range are clamped when decoded, so that no message is lost because of one word. */
export const TextElementSchema = Type.Object({
  type: Type.Literal('text'),
  value: Type.String(),
  /** Start in seconds, from 0. */
  ts: Type.Optional(Type.Number()),
  end_ts: Type.Optional(Type.Number()),
  /** Confidence from 0 to 1. */
  confidence: Type.Optional(Type.Number()),
});

export const ElementSchema = Type.Union([
  TextElementSchema,
  Type.Object({ type: Type.Literal('punct'), value: Type.String() }),
  Type.Object({ type: Type.Literal('unknown'), value: Type.String() }),
]);

export const MonologueSchema = Type.Object({
  speaker: Type.Integer({ minimum: 0 }),
  speaker_info: Type.Optional(Type.Object({ id: Type.String(), display_name: Type.String() })),
  elements: Type.Array(ElementSchema),
});

export const TranscriptSchema = Type.Object({
  monologues: Type.Array(MonologueSchema),
});

export type TextElementJson = Static<typeof TextElementSchema>;
export type ElementJson = Static<typeof ElementSchema>;
export type MonologueJson = Static<typeof MonologueSchema>;
export type TranscriptJson = Static<typeof TranscriptSchema>;

/** Rounds seconds to two decimals, the precision of the wire. */
export function wireSeconds(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

/** Applies a function to a number that may be absent. */
const given = (value: number | undefined, change: (value: number) => number) =>
  value === undefined ? undefined : change(value);

export function encodeTextElement({ value, ts, endTs, confidence }: TextElement): TextElementJson {
  return {
    type: 'text',
    value,
    ts: given(ts, wireSeconds),
    end_ts: given(endTs, wireSeconds),
    confidence: given(confidence, wireSeconds),
  };
}

/** Decodes a word. What is absent stays absent: callers print these objects. */
export function decodeTextElement({ value, ts, end_ts: endTs, confidence }: TextElementJson): TextElement {
  return {
    type: 'text',
    value,
    ...(ts !== undefined && { ts: Math.max(0, ts) }),
    ...(endTs !== undefined && { endTs: Math.max(0, endTs) }),
    ...(confidence !== undefined && { confidence: Math.min(Math.max(0, confidence), 1) }),
  };
}

export function encodeElement(element: TranscriptElement): ElementJson {
  return element.type === 'text' ? encodeTextElement(element) : { type: element.type, value: element.value };
}

export function decodeElement(element: ElementJson): TranscriptElement {
  return element.type === 'text' ? decodeTextElement(element) : { type: element.type, value: element.value };
}

/**
 * Encodes a transcript as JSON of the interface: names in snake_case, times and confidences with two decimals. Coverage is not
 * part of it.
 *
 * @example
 * import { encodeTranscript } from 'rxscribe';
 *
 * encodeTranscript({ monologues: [] }); // { monologues: [] }
 */
export function encodeTranscript(transcript: Transcript): TranscriptJson {
  return { monologues: transcript.monologues.map(encodeMonologue) };
}

/**
 * Decodes JSON of the interface to a transcript. The caller must have checked its shape.
 *
 * @example
 * import { decodeTranscript } from 'rxscribe';
 *
 * decodeTranscript({ monologues: [{ speaker: 0, elements: [{ type: 'punct', value: '.' }] }] });
 */
export function decodeTranscript(json: TranscriptJson): Transcript {
  return { monologues: json.monologues.map(decodeMonologue) };
}

function encodeMonologue({ speaker, speakerInfo, elements }: Monologue): MonologueJson {
  return {
    speaker,
    speaker_info: speakerInfo && { id: speakerInfo.id, display_name: speakerInfo.displayName },
    elements: elements.map(encodeElement),
  };
}

function decodeMonologue({ speaker, speaker_info: info, elements }: MonologueJson): Monologue {
  return {
    speaker,
    ...(info && { speakerInfo: { id: info.id, displayName: info.display_name } }),
    elements: elements.map(decodeElement),
  };
}
