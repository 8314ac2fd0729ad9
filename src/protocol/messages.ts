import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { RxscribeError } from '../base/errors.ts';
import { jsonOf } from '../transcript/formats/jsonOf.ts';
import type { TranscriptEvent } from '../transcript/model/events.ts';
import {
  decodeElement,
  decodeTextElement,
  ElementSchema,
  encodeElement,
  encodeTextElement,
  TextElementSchema,
  wireSeconds,
} from './transcriptJson.ts';

/** The messages of the service on a streaming connection, each one JSON text frame. */

export const ConnectedMessageSchema = Type.Object({
  type: Type.Literal('connected'),
  id: Type.String({ minLength: 1 }),
});

export const PartialMessageSchema = Type.Object({
  type: Type.Literal('partial'),
  ts: Type.Number(),
  end_ts: Type.Number(),
  elements: Type.Array(TextElementSchema),
});

export const FinalMessageSchema = Type.Object({
  type: Type.Literal('final'),
  ts: Type.Number(),
  end_ts: Type.Number(),
  elements: Type.Array(ElementSchema),
  speaker_id: Type.Optional(Type.Integer({ minimum: 0 })),
});

export type StreamMessage =
  | Static<typeof ConnectedMessageSchema>
  | Static<typeof PartialMessageSchema>
  | Static<typeof FinalMessageSchema>;

/** Duration given to a final whose end is not after its start, so that its words are kept. */
export const MIN_FINAL_SECONDS = 0.01;

/** One validator per type: a union would report the errors of every alternative. */
const VALIDATORS = {
  connected: Compile(ConnectedMessageSchema),
  partial: Compile(PartialMessageSchema),
  final: Compile(FinalMessageSchema),
} as const satisfies Record<StreamMessage['type'], unknown>;

/** A message of an unknown type, which can be ignored. */
export class UnknownMessageError extends RxscribeError {
  constructor(type: string) {
    super('protocol', `Message type '${type.slice(0, 32)}' is unknown (known: connected, partial, final).`);
  }
}

export function encodeMessage(event: TranscriptEvent): StreamMessage {
  if (event.type === 'connected') return event;
  const span = { ts: wireSeconds(event.ts), end_ts: wireSeconds(event.endTs) };
  if (event.type === 'partial') {
    return { type: 'partial', ...span, elements: event.elements.map(encodeTextElement) };
  }
  const elements = event.elements.map(encodeElement);
  return { type: 'final', ...span, elements, speaker_id: event.speaker };
}

/** A decoded message. */
export interface DecodedMessage {
  readonly event: TranscriptEvent;
  /** Set when a fault was corrected so that no word is lost. */
  readonly warning?: string;
}

/**
 * Decodes one text frame of the service.
 *
 * @throws UnknownMessageError for an unknown type
 * @throws RxscribeError `protocol` for malformed JSON or fields of the wrong shape
 */
export function decodeMessage(text: string): DecodedMessage {
  const json = jsonOf(text);
  if (json === undefined) throw new RxscribeError('protocol', 'A message of the stream is not valid JSON.');
  const type = (json as { type?: unknown } | null)?.type;
  if (typeof type !== 'string') {
    throw new RxscribeError('protocol', 'A message of the stream must be an object with a type.');
  }
  if (!isKnown(type)) throw new UnknownMessageError(type);
  const validator = VALIDATORS[type];
  if (validator.Check(json)) return toEvent(json as StreamMessage);
  const [{ instancePath, message } = { instancePath: '', message: '' }] = validator.Errors(json);
  throw new RxscribeError(
    'protocol',
    `A message of the stream is not valid: ${type}${instancePath} ${message}.`,
  );
}

function isKnown(type: string): type is StreamMessage['type'] {
  return Object.hasOwn(VALIDATORS, type);
}

function toEvent(message: StreamMessage): DecodedMessage {
  if (message.type === 'connected') return { event: { type: 'connected', id: message.id } };
  if (message.type === 'partial') {
    const { ts, end_ts: endTs, elements } = message;
    return {
      event: { type: 'partial', ts, endTs, elements: elements.map(decodeTextElement) },
    };
  }
  const { ts, end_ts: endTs, elements, speaker_id: speaker } = message;
  const event = {
    type: 'final' as const,
    ts,
    endTs,
    elements: elements.map(decodeElement),
    speaker,
  };
  if (ts < endTs) return { event };
  return {
    event: { ...event, endTs: ts + MIN_FINAL_SECONDS },
    warning: `A final ends at ${endTs} s, not after its start at ${ts} s. Its words were kept.`,
  };
}
