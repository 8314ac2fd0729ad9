import { messageOf, RxscribeError } from '../base/errors.ts';
import type { StreamStatus } from '../client/stream/status.ts';
import { encodeMessage } from '../protocol/messages.ts';
import { encodeTranscript } from '../protocol/transcriptJson.ts';
import type { CaptionView } from './captionView.ts';

/** Everything as it happens, one JSON object a line, for other programs. */
export function jsonView(output: NodeJS.WritableStream): CaptionView {
  const print = (value: object) => output.write(`${JSON.stringify(value)}\n`);
  return {
    event(event) {
      // The status says it too, with the same id.
      if (event.type !== 'connected') print(encodeMessage(event));
    },
    status: status => print(encodeStatus(status)),
    close: transcript =>
      new Promise(resolve => {
        output.write(
          `${JSON.stringify({ type: 'transcript', transcript: encodeTranscript(transcript) })}\n`,
          () => resolve(),
        );
      }),
  };
}

function encodeStatus(status: StreamStatus): object {
  switch (status.type) {
    case 'warning':
      return {
        type: 'warning',
        code: status.code,
        message: status.message,
        ...(status.code === 'dropped-audio' && { start_frame: status.startFrame, frames: status.frames }),
      };
    case 'progress':
      return {
        type: 'status',
        status: 'progress',
        sent_frames: status.sentFrames,
        buffered_frames: status.bufferedFrames,
      };
    case 'failed': {
      const code = status.error instanceof RxscribeError ? status.error.code : 'internal';
      return { type: 'status', status: 'failed', code, message: messageOf(status.error) };
    }
    default: {
      const { type, ...details } = status;
      return { type: 'status', status: type, ...details };
    }
  }
}
