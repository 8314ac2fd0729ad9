import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { StreamStatus, StreamWarning } from '../../client/stream/status.ts';
import { encodeTranscript } from '../../protocol/transcriptJson.ts';
import type { CaptionView } from './captionView.ts';
import { encodeCoverage, encodeLiveEvent } from './liveJson.ts';

/** Everything as it happens, one JSON object a line, for other programs. */
export function jsonView(output: NodeJS.WritableStream): CaptionView {
  const print = (value: object, whenWritten?: () => void) => {
    output.write(`${printableJson(value)}\n`, whenWritten);
  };
  return {
    event(event) {
      // The status says it too, with the same id.
      if (event.type !== 'connected') print(encodeLiveEvent(event));
    },
    status: status => print({ type: 'status', ...encodeStatus(status) }),
    warning: ({ code, message }) => print({ type: 'warning', code, message }),
    close: transcript =>
      new Promise(resolve => {
        const { coverage = [] } = transcript;
        const text = encodeTranscript(transcript);
        print({ type: 'transcript', transcript: text, coverage: encodeCoverage(coverage) }, resolve);
      }),
  };
}

function encodeStatus({ type, ...details }: Exclude<StreamStatus, StreamWarning>): object {
  const { error, ...fields } = details as { readonly error?: unknown };
  const renamed = Object.entries(fields).map(([name, value]) => [snakeName(name), value]);
  return { status: type, ...Object.fromEntries(renamed), ...(error !== undefined && encodeError(error)) };
}

function encodeError(error: unknown): object {
  const code = error instanceof RxscribeError ? error.code : 'internal';
  return { code, message: messageOf(error) };
}

const snakeName = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** JSON without what a terminal would obey: it may be shown in one, and means the same to a program. */
function printableJson(value: object): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/\p{C}/gu, character => character.split('').map(escaped).join(''));
}
