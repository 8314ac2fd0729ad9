import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { transcriptAs } from '../files/transcriptFile.ts';
import { createDelayNotes } from '../print/delayNotes.ts';
import { jsonView } from '../print/jsonView.ts';
import type { ProgressLine } from '../print/progressLine.ts';

/** What `resume` tells while it works, and its result. */
export interface ResumeOutput extends Disposable {
  event(event: LiveEvent): void;
  status(status: StreamStatus): void;
  warning(warning: { readonly code: string; readonly message: string }): void;
  /** @throws RxscribeError `store` when anything could not be written: what was not seen must not be deleted */
  close(transcript: Transcript): Promise<void>;
}

export interface ResumeOutputOptions {
  readonly json: boolean;
  readonly progress: ProgressLine;
}

/** One JSON object a line; else plain text at the end, and notes beside it. */
export function resumeOutput(
  stream: NodeJS.WriteStream,
  { json, progress }: ResumeOutputOptions,
): ResumeOutput {
  const view = json ? jsonView(stream) : undefined;
  const failures = takeFailures(stream);
  const delayNote = createDelayNotes();
  return {
    event: event => view?.event(event),
    status(status) {
      if (status.type !== 'warning') view?.status(status);
      else view?.warning(status);
      const delay = delayNote(status);
      if (delay !== undefined) progress.note(delay);
    },
    warning({ code, message }) {
      if (view) view.warning({ code, message });
      else progress.note(message);
    },
    async close(transcript) {
      progress.hide();
      if (view) await view.close(transcript);
      else
        await new Promise<void>(resolve => stream.write(transcriptAs('.txt', transcript), () => resolve()));
      // A stream tells of its failure after whoever wrote last.
      await new Promise(resolve => setImmediate(resolve));
      const [cause] = failures.seen;
      if (cause) throw new RxscribeError('store', `print the transcript: ${messageOf(cause)}`, { cause });
    },
    [Symbol.dispose]: () => failures.giveBack(),
  };
}

/** Whoever listens for failures of the stream hears of none until it is given back. */
function takeFailures(stream: NodeJS.WriteStream) {
  const seen: Error[] = [];
  const listeners = stream.listeners('error') as ((error: Error) => void)[];
  stream.removeAllListeners('error').on('error', (error: Error) => seen.push(error));
  const giveBack = () => {
    stream.removeAllListeners('error');
    for (const listener of listeners) stream.on('error', listener);
  };
  return { seen, giveBack };
}
