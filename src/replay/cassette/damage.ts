/** Lines that are missing or changed in a cassette, which a replay would not notice. */
import type { Cassette } from './cassette.ts';
import { messageEvent, messageJson, messageText } from './cassetteLines.ts';

/**
 * Returns the damage of a recorded cassette for people, one text each: a missing end, messages with words of an unknown type,
 * and utterances that have partials but no final.
 */
export function damageOf(cassette: Pick<Cassette, 'header' | 'lines' | 'end'>): readonly string[] {
  const { header, lines, end } = cassette;
  const found: string[] = [];
  if (header.origin === undefined && !end) found.push('its end is missing: the recording was cut off');
  /** Words of partials that no final has replaced. */
  let open: { readonly ts: number; readonly endTs: number } | undefined;
  const lost = () => {
    if (open) found.push(`the final of the words from ${open.ts} to ${open.endTs} s is missing`);
    open = undefined;
  };
  for (const line of lines) {
    // The next connection repeats the words.
    if (line.type === 'connect') open = undefined;
    const isEmitted = line.type === 'event';
    if (!isEmitted && (line.type !== 'message' || line.heard === false)) continue;
    const event = isEmitted ? line.event : messageEvent(messageText(line));
    // The words of a final were final before, when a client has moved to another connection.
    const { ts = 0, endTs = 0 } = event?.type === 'silence' ? event : {};
    const isRepeated = open && ts < open.endTs && endTs >= open.endTs;
    if (event?.type === 'final' || isRepeated) open = undefined;
    else if (event?.type === 'partial') {
      const hasWords = event.elements.length > 0;
      if (open && hasWords && event.ts >= open.endTs) lost();
      open = hasWords ? { ts: open?.ts ?? event.ts, endTs: event.endTs } : undefined;
    } else if (!event && !isEmitted) {
      const { type, elements } = (messageJson(line) ?? {}) as { type?: unknown; elements?: unknown };
      if (elements !== undefined)
        found.push(`a message with words has the unknown type '${String(type).slice(0, 32)}'`);
    }
  }
  const hasFailed = lines.some(line => line.type === 'status' && line.status.type === 'failed');
  if (end && !hasFailed) lost();
  return found;
}
