import { styleText } from 'node:util';
import { oneLine } from '../../base/text.ts';
import { cutToWidth } from '../../transcript/text/textWidth.ts';
import { progressBar } from './progressBar.ts';

/** What is being done just now, for people. */
export interface ProgressLine extends Disposable {
  /** From 0 to 1, how much of it is done; otherwise how long it takes is shown. */
  show(what: string, fraction?: number): void;
  /** Makes room for something else, until the next `show`. */
  hide(): void;
  /** Writes a line that stays, above the one that changes. */
  note(text: string): void;
}

const REPAINT_MS = 200;
/** Back to the first column, and nothing on the line. */
const CLEAR = '\r\u001b[2K';

/** One line at the end of a terminal, which goes when it is disposed of; notes only, where there is no terminal. */
export function progressLine(output: NodeJS.WriteStream): ProgressLine {
  let what: string | undefined;
  let fraction: number | undefined;
  let since = performance.now();

  function paint(): void {
    if (!output.isTTY || what === undefined) return;
    const seconds = Math.floor((performance.now() - since) / 1000);
    const state = fraction === undefined ? `${seconds} s` : progressBar(fraction);
    const line = cutToWidth(oneLine(`${what}  ${state}`), Math.max(1, output.columns - 1))[0]!;
    output.write(CLEAR + styleText('dim', line, { stream: output }));
  }
  function hide(): void {
    if (output.isTTY && what !== undefined) output.write(CLEAR);
    what = undefined;
  }
  const timer = output.isTTY ? setInterval(paint, REPAINT_MS) : undefined;
  return {
    show(nextWhat, nextFraction) {
      const isNew = nextWhat !== what;
      what = nextWhat;
      fraction = nextFraction;
      if (!isNew) return;
      since = performance.now();
      paint();
    },
    note(text) {
      output.write(`${output.isTTY ? CLEAR : ''}${oneLine(text)}\n`);
      paint();
    },
    hide,
    [Symbol.dispose]() {
      clearInterval(timer);
      hide();
    },
  };
}
