import type { Context } from './context.ts';
import { type InterruptionOptions, takeInterruptions } from './interruption.ts';
import { type ProgressLine, progressLine } from './print/progressLine.ts';

/** The means of work that a command may interrupt. */
export interface Work {
  /** Aborted when the command is interrupted. */
  readonly signal: AbortSignal;
  readonly progress: ProgressLine;
}

export interface InterruptibleOptions extends InterruptionOptions {
  /** Note printed after an interruption, such as on unfinished files. Default: none. */
  readonly note?: string;
}

/**
 * Runs work to its end, or to an interruption: then the command has its exit code, and the error of the work is not thrown.
 *
 * @returns the result of the work; undefined when it was interrupted
 */
export async function interruptible<Result>(
  context: Context,
  work: (work: Work) => Promise<Result>,
  { note, ...options }: InterruptibleOptions = {},
): Promise<Result | undefined> {
  using interruption = takeInterruptions(context, options);
  const { signal } = interruption;
  using progress = progressLine(context.stderr);
  try {
    return await work({ signal, progress });
  } catch (error) {
    if (!signal.aborted) throw error;
    if (note !== undefined) progress.note(note);
    return undefined;
  }
}
