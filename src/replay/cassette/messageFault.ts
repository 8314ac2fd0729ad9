import { reasonOf } from '../../base/errors.ts';
import { decodeMessage, UnknownMessageError } from '../../protocol/messages.ts';
import type { TextElementJson } from '../../protocol/transcriptJson.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { TextElement, TranscriptElement } from '../../transcript/model/model.ts';

/**
 * Returns the fault of a text frame that no message of the interface may have, without transcript text; undefined for a
 * valid message and for one of an unknown type.
 */
export function messageFault(text: string): string | undefined {
  try {
    const { event, warning } = decodeMessage(text);
    if (event.type === 'connected') return undefined;
    // The decoder corrects times and confidences of elements.
    const { elements } = JSON.parse(text) as { readonly elements: readonly TextElementJson[] };
    const asSent = elements.map(({ end_ts: endTs, ...rest }) => ({ ...rest, endTs }));
    return warning === undefined ? eventFault({ ...event, elements: asSent }) : reasonOf(warning);
  } catch (error) {
    return error instanceof UnknownMessageError ? undefined : reasonOf(error);
  }
}

/** Returns the fault of the times and confidences of an event; undefined for a valid event. */
export function eventFault(event: LiveEvent): string | undefined {
  if (event.type === 'connected') return undefined;
  const { ts, endTs } = event;
  const fault = valueFault({ ts, endTs });
  if (fault) return `the ${event.type} has ${fault}`;
  const faults = elementsOf(event).map(element =>
    element.type === 'text' ? valueFault(element) : undefined,
  );
  const at = faults.findIndex(found => found !== undefined);
  return at < 0 ? undefined : `element ${at + 1} of the ${event.type} has ${faults[at]}`;
}

function elementsOf(event: LiveEvent): readonly TranscriptElement[] {
  if ('elements' in event) return event.elements;
  return event.type === 'repair' ? event.monologues.flatMap(({ elements }) => elements) : [];
}

function valueFault({ ts, endTs, confidence }: Partial<TextElement>): string | undefined {
  if ((ts === undefined) !== (endTs === undefined)) return 'only one of a start and an end';
  if (ts !== undefined && endTs !== undefined) {
    if (ts < 0) return `a start of ${ts} s, which is before the audio`;
    if (endTs < ts) return `an end of ${endTs} s, which is before its start of ${ts} s`;
  }
  const isShare = confidence === undefined || (confidence >= 0 && confidence <= 1);
  return isShare ? undefined : `a confidence of ${confidence}, which is not from 0 to 1`;
}
