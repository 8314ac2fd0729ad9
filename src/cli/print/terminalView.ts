import { styleText } from 'node:util';
import { oneLine } from '../../base/text.ts';
import { terminalCaptions } from '../../captions/outputs/terminalCaptions.ts';
import { terminalOutput } from '../../captions/outputs/terminalOutput.ts';
import { clockTime } from '../../transcript/formats/timestamp.ts';
import type { HoleEvent, RepairEvent } from '../../transcript/model/events.ts';
import type { Output } from '../context.ts';
import type { CaptionView } from './captionView.ts';
import { channelNote, createConnectionNotes } from './connectionNotes.ts';

/**
 * Shows captions for readers on `stdout`; warnings, and notes on audio without text, on `stderr`. For one of several sources,
 * only complete lines are written.
 *
 * @param label name of the source, for one of several
 */
export function terminalView(stdout: Output, stderr: Output, label = ''): CaptionView {
  const output = terminalOutput(stdout, label === '' ? {} : { interactive: false });
  const captions = terminalCaptions(output, label === '' ? {} : { label });
  const connectionNote = createConnectionNotes();
  const prefix = label === '' ? '' : `${oneLine(label)}: `;
  const write = (line: string) => output.aside(() => stderr.write(`${prefix}${line}\n`));
  const dim = (text: string) => write(styleText('dim', text, { stream: stderr }));
  return {
    captions,
    event(event) {
      if (event.type === 'hole' || event.type === 'repair') dim(channelNote(event, spanNote(event)));
    },
    status(status) {
      const line = connectionNote(status);
      if (line !== undefined) dim(oneLine(line));
    },
    warning: ({ message }) =>
      write(`${styleText('yellow', 'warning:', { stream: stderr })} ${oneLine(message)}`),
    note: ({ message }) => dim(oneLine(message)),
    state: text => output.footer(text),
    close: () => captions.close(),
  };
}

function spanNote(event: HoleEvent | RepairEvent): string {
  const span = `${clockTime(event.ts, 'mm:ss')}–${clockTime(Math.ceil(event.endTs), 'mm:ss')}`;
  if (event.type === 'repair') return `${span} repaired.`;
  return `${span} not transcribed (${event.cause.replaceAll('-', ' ')}).`;
}
