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

export function encodeTextElement(element: TextElement): TextElementJson {
  return {
    type: 'text',
    value: element.value,
    ...(element.ts !== undefined && { ts: wireSeconds(element.ts) }),
    ...(element.endTs !== undefined && { end_ts: wireSeconds(element.endTs) }),
    ...(element.confidence !== undefined && {
      confidence: wireSeconds(element.confidence),
    }),
  };
}

export function decodeTextElement(element: TextElementJson): TextElement {
  return {
    type: 'text',
    value: element.value,
    ...(element.ts !== undefined && { ts: Math.max(0, element.ts) }),
    ...(element.end_ts !== undefined && { endTs: Math.max(0, element.end_ts) }),
    ...(element.confidence !== undefined && { confidence: Math.min(Math.max(0, element.confidence), 1) }),
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
    ...(speakerInfo && {
      speaker_info: {
        id: speakerInfo.id,
        display_name: speakerInfo.displayName,
      },
    }),
    elements: elements.map(encodeElement),
  };
}

function decodeMonologue({ speaker, speaker_info: info, elements }: MonologueJson): Monologue {
  return {
    speaker,
    ...(info && {
      speakerInfo: { id: info.id, displayName: info.display_name },
    }),
    elements: elements.map(decodeElement),
  };
}
