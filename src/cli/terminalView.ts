import { styleText } from 'node:util';
import { Subject } from 'rxjs';
import { liveCaptions } from '../captions/liveCaptions.ts';
import { terminalOutput } from '../captions/terminalOutput.ts';
import type { TranscriptEvent } from '../transcript/events.ts';
import type { CaptionView } from './captionView.ts';

/** Captions as people read them, on stdout; warnings on stderr. */
export function terminalView(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): CaptionView {
  const output = terminalOutput(stdout);
  const events$ = new Subject<TranscriptEvent>();
  events$.pipe(liveCaptions({ columns: () => output.columns })).subscribe(display => output.show(display));
  return {
    event: event => events$.next(event),
    status() {
      // The captions themselves show that all goes well; an error is told at the end.
    },
    warning: ({ message }) =>
      output.aside(() => {
        stderr.write(`${styleText('yellow', 'warning:', { stream: stderr })} ${message}\n`);
      }),
    async close() {
      events$.complete();
      await output.close();
    },
  };
}
