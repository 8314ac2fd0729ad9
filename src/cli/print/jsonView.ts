import { messageOf, RxscribeError } from '../../base/errors.ts';
import { printableJson } from '../../base/text.ts';
import type { StreamStatus, StreamWarning } from '../../client/stream/status.ts';
import { encodeMessage } from '../../protocol/messages.ts';
import { encodeTranscript, wireSeconds } from '../../protocol/transcriptJson.ts';
import type { Coverage } from '../../transcript/model/coverage.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { CaptionView } from './captionView.ts';

/**
 * Prints each event, status and warning as it happens, and the transcript at the end: one JSON object a line.
 *
 * @param label name of the source, for one of several
 */
export function jsonView(output: NodeJS.WritableStream, label = ''): CaptionView {
  const print = (value: object, whenWritten?: () => void) => {
    const line = label === '' ? value : { room: label, ...value };
    output.write(`${printableJson(line)}\n`, whenWritten);
  };
  return {
    event(event) {
      // The status `connected` has the same id.
      if (event.type !== 'connected') print(encodeEvent(event));
    },
    status: status => print({ type: 'status', ...encodeStatus(status) }),
    warning: ({ code, message }) => print({ type: 'warning', code, message }),
    note: ({ code, message }) => print({ type: 'note', code, message }),
    state: () => false,
    close: transcript =>
      new Promise(resolve => {
        const { coverage = [] } = transcript;
        const text = encodeTranscript(transcript);
        print({ type: 'transcript', transcript: text, coverage: encodeCoverage(coverage) }, resolve);
      }),
  };
}

/** Returns an event as JSON: those of the service as it sends them, the others in the same style. */
function encodeEvent(event: Exclude<LiveEvent, { type: 'connected' }>): object {
  const { channel } = event;
  switch (event.type) {
    case 'silence':
      return { type: event.type, ...encodeSpan(event), channel };
    case 'hole':
      return { type: event.type, ...encodeSpan(event), cause: event.cause, channel };
    case 'repair':
      return {
        type: event.type,
        ...encodeSpan(event),
        ...encodeTranscript(event),
        job_id: event.jobId,
        channel,
      };
    default:
      return { ...encodeMessage(event), channel };
  }
}

function encodeCoverage(coverage: Coverage): readonly object[] {
  return coverage.map(({ ts, endTs, ...finding }) => ({ ...encodeSpan({ ts, endTs }), ...finding }));
}

const encodeSpan = ({ ts, endTs }: { readonly ts: number; readonly endTs: number }) => ({
  ts: wireSeconds(ts),
  end_ts: wireSeconds(endTs),
});

function encodeStatus({ type, ...details }: Exclude<StreamStatus, StreamWarning>): object {
  const { error, ...fields } = details as { readonly error?: unknown };
  const renamed = Object.entries(fields).map(([name, value]) => [snakeName(name), value]);
  return { status: type, ...Object.fromEntries(renamed), ...encodeError(error) };
}

function encodeError(error: unknown): object {
  if (error === undefined) return {};
  const code = error instanceof RxscribeError ? error.code : 'internal';
  return { code, message: messageOf(error) };
}

const snakeName = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
