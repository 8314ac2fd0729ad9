import { RxscribeError } from '../base/errors.ts';
import { jsonOf } from '../transcript/formats/jsonOf.ts';
import type { TranscriptEvent } from '../transcript/model/events.ts';
import {
  decodeElement,
  decodeTextElement,
  type ElementJson,
  encodeElement,
  encodeTextElement,
  type TextElementJson,
  wireSeconds,
} from './transcriptJson.ts';

/** A message of the service on a streaming connection, one JSON text frame. */
export type StreamMessage =
  | { readonly type: 'connected'; readonly id: string }
  | (Span & { readonly type: 'partial'; readonly elements: readonly TextElementJson[] })
  | (Span & {
      readonly type: 'final';
      readonly elements: readonly ElementJson[];
      readonly speaker_id?: number | undefined;
    });

interface Span {
  readonly ts: number;
  readonly end_ts: number;
}

/** Types of messages with words, and the types of their elements. */
const ELEMENT_TYPES = { partial: ['text'], final: ['text', 'punct', 'unknown'] } as const;

/** Duration given to a final whose end is not after its start, so that its words are kept. */
export const MIN_FINAL_SECONDS = 0.01;

/** A message of an unknown type, which can be ignored. */
export class UnknownMessageError extends RxscribeError {
  override name = 'UnknownMessageError';
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
  const fault = faultOf(type, json as Unchecked);
  if (fault === undefined) return toEvent(json as StreamMessage);
  throw new RxscribeError('protocol', `A message of the stream is not valid: ${type}/${fault}.`);
}

function isKnown(type: string): type is StreamMessage['type'] {
  return type === 'connected' || Object.hasOwn(ELEMENT_TYPES, type);
}

type Unchecked = Readonly<Record<string, unknown>>;

/** Returns the fault of a field. Written by hand, as schema validators would be a third of the code that a browser loads. */
function faultOf(type: StreamMessage['type'], message: Unchecked): string | undefined {
  const { id, elements, speaker_id: speaker = 0 } = message;
  if (type === 'connected')
    return typeof id === 'string' && id !== '' ? undefined : 'id must be a string that is not empty';
  const time = ['ts', 'end_ts'].find(name => !Number.isFinite(message[name]));
  if (time) return `${time} must be a number`;
  if (!Array.isArray(elements)) return 'elements must be an array';
  const wrong = elements.findIndex(element => !isElement(element, ELEMENT_TYPES[type]));
  if (wrong >= 0)
    return `elements/${wrong} must have a type and a value, and times and confidence as numbers`;
  const isIndex = type === 'partial' || (Number.isInteger(speaker) && Number(speaker) >= 0);
  return isIndex ? undefined : 'speaker_id must be an integer of at least 0';
}

function isElement(element: Unchecked | null, types: readonly unknown[]): boolean {
  if (typeof element !== 'object' || element === null || typeof element.value !== 'string') return false;
  const numbers = element.type === 'text' ? [element.ts, element.end_ts, element.confidence] : [];
  return types.includes(element.type) && numbers.every(one => one === undefined || Number.isFinite(one));
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
