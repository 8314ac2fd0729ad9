import { type Static, Type } from 'typebox';
import type { Monologue, TextElement, Transcript, TranscriptElement } from '../transcript/model.ts';

/** The transcript as the wire has it; {@link Transcript} is the same for programs. */

export const TextElementSchema = Type.Object({
  type: Type.Literal('text'),
  value: Type.String(),
  ts: Type.Optional(Type.Number({ minimum: 0 })),
  end_ts: Type.Optional(Type.Number({ minimum: 0 })),
  confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
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

/** Seconds as the wire has them: two decimals. */
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
    ...(element.ts !== undefined && { ts: element.ts }),
    ...(element.end_ts !== undefined && { endTs: element.end_ts }),
    ...(element.confidence !== undefined && { confidence: element.confidence }),
  };
}

export function encodeElement(element: TranscriptElement): ElementJson {
  return element.type === 'text' ? encodeTextElement(element) : { type: element.type, value: element.value };
}

export function decodeElement(element: ElementJson): TranscriptElement {
  return element.type === 'text' ? decodeTextElement(element) : { type: element.type, value: element.value };
}

/** @example encodeTranscript({ monologues: [] }) // { monologues: [] } */
export function encodeTranscript(transcript: Transcript): TranscriptJson {
  return { monologues: transcript.monologues.map(encodeMonologue) };
}

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
