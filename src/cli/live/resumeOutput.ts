import { RxscribeError } from '../../base/errors.ts';
import { fileReason, printable } from '../../base/text.ts';
import { transcriptAs } from '../../captions/files/transcriptText.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Output } from '../context.ts';
import { createDelayNotes } from '../print/connectionNotes.ts';
import { jsonView } from '../print/jsonView.ts';
import type { ProgressLine } from '../print/progressLine.ts';

/** Prints the output of `resume`: one JSON object a line, else plain text at the end, with notes on the progress line. */
export function resumeOutput(
  stream: Output,
  { json, progress }: { readonly json: boolean; readonly progress: ProgressLine },
) {
  const view = json ? jsonView(stream) : undefined;
  const failures = collectFailures(stream);
  const delayNote = createDelayNotes();
  return {
    event: (event: LiveEvent) => view?.event(event),
    status(status: StreamStatus) {
      if (status.type !== 'warning') view?.status(status);
      else view?.warning(status);
      const delay = delayNote(status);
      if (delay !== undefined) progress.note(delay);
    },
    warning({ code, message }: { readonly code: string; readonly message: string }) {
      if (view) view.warning({ code, message });
      else progress.note(message);
    },
    /** @throws RxscribeError `store` when anything could not be written: the spool of an unseen transcript must stay */
    async close(transcript: Transcript) {
      progress.hide();
      if (view) await view.close(transcript);
      else {
        const text = transcriptAs('.txt', transcript);
        await new Promise<void>(resolve =>
          stream.write(stream.isTTY ? printable(text) : text, () => resolve()),
        );
      }
      // A stream emits its error after the callback of the last write.
      await new Promise(resolve => setImmediate(resolve));
      const [cause] = failures.seen;
      if (!cause) return;
      throw new RxscribeError('store', `Cannot print the transcript: ${fileReason(cause)}.`, { cause });
    },
    [Symbol.dispose]: () => failures.restore(),
  };
}

/** Takes over the failures of a stream from its other listeners, until it is restored. */
function collectFailures(stream: Output) {
  const seen: Error[] = [];
  const listeners = stream.listeners('error') as ((error: Error) => void)[];
  stream.removeAllListeners('error').on('error', (error: Error) => seen.push(error));
  const restore = () => {
    stream.removeAllListeners('error');
    for (const listener of listeners) stream.on('error', listener);
  };
  return { seen, restore };
}
