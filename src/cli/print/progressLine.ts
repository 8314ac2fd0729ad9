import { styleText } from 'node:util';
import { oneLine } from '../../base/text.ts';
import { cutToWidth } from '../../transcript/text/textWidth.ts';
import type { Output } from '../context.ts';

/** A line that shows the work in progress. */
export interface ProgressLine extends Disposable {
  /** Shows a task with the fraction done, from 0 to 1, or with its seconds so far. */
  show(task: string, fraction?: number): void;
  /**
   * Shows a step of a task in the same way. Where there is no terminal, each step without a fraction is written as a permanent
   * line.
   */
  step(text: string, fraction?: number): void;
  /** Clears the line for other output, until the next `show`. */
  hide(): void;
  /** Writes a permanent line above the changing one. */
  note(text: string): void;
}

const REPAINT_MS = 200;
const BAR_COLUMNS = 24;
/** Moves to the first column and erases the line. */
const CLEAR = '\r\u001b[2K';

/** Shows progress on the last line of a terminal until it is disposed of; elsewhere only notes are written. */
export function progressLine(output: Output): ProgressLine {
  let task: string | undefined;
  let fraction: number | undefined;
  let since = performance.now();

  function paint(): void {
    if (!output.isTTY || task === undefined) return;
    const seconds = Math.floor((performance.now() - since) / 1000);
    const state = fraction === undefined ? `${seconds} s` : progressBar(fraction);
    const [line = ''] = cutToWidth(oneLine(`${task}  ${state}`), Math.max(1, (output.columns ?? 80) - 1));
    output.write(CLEAR + styleText('dim', line, { stream: output }));
  }
  function hide(): void {
    if (output.isTTY && task !== undefined) output.write(CLEAR);
    task = undefined;
  }
  function show(nextTask: string, nextFraction?: number): void {
    const isNew = nextTask !== task;
    task = nextTask;
    fraction = nextFraction;
    if (!isNew) return;
    since = performance.now();
    paint();
  }
  function note(text: string): void {
    output.write(`${output.isTTY ? CLEAR : ''}${oneLine(text)}\n`);
    paint();
  }
  const timer = output.isTTY ? setInterval(paint, REPAINT_MS) : undefined;
  return {
    show,
    step(text, part) {
      if (output.isTTY) show(text, part);
      else if (part === undefined) note(text);
    },
    note,
    hide,
    [Symbol.dispose]() {
      clearInterval(timer);
      hide();
    },
  };
}

function progressBar(fraction: number): string {
  const filled = Math.round(fraction * BAR_COLUMNS);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_COLUMNS - filled)} ${Math.round(fraction * 100)} %`;
}
