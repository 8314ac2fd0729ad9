import { messageOf, RxscribeError } from '../base/errors.ts';
import type { StreamStatus, StreamWarning } from '../client/stream/status.ts';
import { encodeMessage } from '../protocol/messages.ts';
import { encodeTranscript } from '../protocol/transcriptJson.ts';
import type { CaptionView } from './captionView.ts';

/** Everything as it happens, one JSON object a line, for other programs. */
export function jsonView(output: NodeJS.WritableStream): CaptionView {
  const print = (value: object, whenWritten?: () => void) => {
    output.write(`${JSON.stringify(value)}\n`, whenWritten);
  };
  return {
    event(event) {
      // The status says it too, with the same id.
      if (event.type !== 'connected') print(encodeMessage(event));
    },
    status: status => print({ type: 'status', ...encodeStatus(status) }),
    warning: ({ code, message }) => print({ type: 'warning', code, message }),
    close: transcript =>
      new Promise(resolve => {
        print({ type: 'transcript', transcript: encodeTranscript(transcript) }, resolve);
      }),
  };
}

function encodeStatus(status: Exclude<StreamStatus, StreamWarning>): object {
  const { type, ...details } = status;
  switch (status.type) {
    case 'progress':
      return { status: type, sent_frames: status.sentFrames, buffered_frames: status.bufferedFrames };
    case 'failed': {
      const code = status.error instanceof RxscribeError ? status.error.code : 'internal';
      return { status: type, code, message: messageOf(status.error) };
    }
    default:
      return { status: type, ...details };
  }
}
