import { encodeMessage } from '../../protocol/messages.ts';
import { encodeTranscript, wireSeconds } from '../../protocol/transcriptJson.ts';
import type { Coverage } from '../../transcript/model/coverage.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';

/** An event as JSON: those of the service as it sends them, the others in the same style. */
export function encodeLiveEvent(event: LiveEvent): object {
  if (event.type === 'connected') return encodeMessage(event);
  return { ...encodeFields(event), ...(event.channel !== undefined && { channel: event.channel }) };
}

/** What is known of which audio, as JSON. */
export function encodeCoverage(coverage: Coverage): readonly object[] {
  return coverage.map(({ ts, endTs, ...finding }) => ({ ...encodeSpan({ ts, endTs }), ...finding }));
}

function encodeFields(event: Exclude<LiveEvent, { type: 'connected' }>): object {
  switch (event.type) {
    case 'silence':
      return { type: event.type, ...encodeSpan(event) };
    case 'hole':
      return { type: event.type, ...encodeSpan(event), cause: event.cause };
    case 'repair':
      return { type: event.type, ...encodeSpan(event), ...encodeTranscript(event), job_id: event.jobId };
    default:
      return encodeMessage(event);
  }
}

const encodeSpan = ({ ts, endTs }: { readonly ts: number; readonly endTs: number }) => ({
  ts: wireSeconds(ts),
  end_ts: wireSeconds(endTs),
});
