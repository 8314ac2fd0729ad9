import { styleText } from 'node:util';
import { Subject } from 'rxjs';
import { type Clock, systemClock } from '../../base/clock.ts';
import { oneLine } from '../../base/text.ts';
import { liveCaptions } from '../../captions/liveCaptions.ts';
import { terminalOutput } from '../../captions/terminalOutput.ts';
import { clockTime } from '../../transcript/formats/timestamp.ts';
import type { HoleEvent, LiveEvent, RepairEvent } from '../../transcript/model/events.ts';
import type { CaptionView } from './captionView.ts';
import { createLinkNotes } from './connectionNotes.ts';
import { ofChannel } from './ofChannel.ts';
import { createOutages } from './outages.ts';

/** Captions as people read them, on stdout; warnings, and what was not transcribed, on stderr. */
export function terminalView(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  clock: Clock = systemClock,
): CaptionView {
  const output = terminalOutput(stdout);
  const events$ = new Subject<LiveEvent>();
  const outages = createOutages(clock);
  const { paused$ } = outages;
  events$
    .pipe(liveCaptions({ columns: () => output.columns, paused$, clock }))
    .subscribe(display => output.show(display));
  const linkNote = createLinkNotes();
  const note = (line: string) => output.aside(() => stderr.write(`${line}\n`));
  return {
    event(event) {
      events$.next(event);
      if (event.type !== 'hole' && event.type !== 'repair') return;
      note(styleText('dim', noteOf(event), { stream: stderr }));
    },
    status(status) {
      outages.status(status);
      const line = linkNote(status);
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

function noteOf(event: HoleEvent | RepairEvent): string {
  const span = `${clockTime(event.ts, 'mm:ss')}–${clockTime(Math.ceil(event.endTs), 'mm:ss')}`;
  if (event.type === 'repair') return ofChannel(event, `${span} repaired`);
  return ofChannel(event, `${span} not transcribed (${event.cause.replaceAll('-', ' ')})`);
}
