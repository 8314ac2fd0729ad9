import { styleText } from 'node:util';
import { Subject } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { oneLine } from '../../base/text.ts';
import { terminalOutput } from '../../captions/outputs/terminalOutput.ts';
import { liveCaptions } from '../../captions/rows/liveCaptions.ts';
import { clockTime } from '../../transcript/formats/timestamp.ts';
import type { HoleEvent, LiveEvent, RepairEvent } from '../../transcript/model/events.ts';
import type { Output } from '../context.ts';
import type { CaptionView } from './captionView.ts';
import { channelNote, createConnectionNotes } from './connectionNotes.ts';
import { createOutages } from './outages.ts';

/** Shows captions for readers on `stdout`; warnings, and notes on audio without text, on `stderr`. */
export function terminalView(stdout: Output, stderr: Output, clock: Clock): CaptionView {
  const output = terminalOutput(stdout);
  const events$ = new Subject<LiveEvent>();
  const outages = createOutages(clock);
  const { paused$ } = outages;
  events$
    .pipe(liveCaptions({ columns: () => output.columns, paused$, clock }))
    .subscribe(display => output.show(display));
  const connectionNote = createConnectionNotes();
  const note = (line: string) => output.aside(() => stderr.write(`${line}\n`));
  return {
    event(event) {
      events$.next(event);
      if (event.type !== 'hole' && event.type !== 'repair') return;
      note(styleText('dim', channelNote(event, spanNote(event)), { stream: stderr }));
    },
    status(status) {
      outages.status(status);
      const line = connectionNote(status);
      if (line !== undefined) note(styleText('dim', oneLine(line), { stream: stderr }));
    },
    warning: ({ message }) =>
      note(`${styleText('yellow', 'warning:', { stream: stderr })} ${oneLine(message)}`),
    async close() {
      outages.close();
      events$.complete();
      await output.close();
    },
  };
}

function spanNote(event: HoleEvent | RepairEvent): string {
  const span = `${clockTime(event.ts, 'mm:ss')}–${clockTime(Math.ceil(event.endTs), 'mm:ss')}`;
  if (event.type === 'repair') return `${span} repaired.`;
  return `${span} not transcribed (${event.cause.replaceAll('-', ' ')}).`;
}
