import type { CaptionStep } from '../../src/captions/captionStep.ts';
import type { CaptionOutput } from '../../src/captions/outputs/captionOutput.ts';
import { initialDisplayState, nextDisplay } from '../../src/captions/rows/captionDisplay.ts';

/** An output that keeps its steps, and the rows of 3 x 42 that they make. */
export interface RecordingOutput extends CaptionOutput {
  readonly steps: readonly CaptionStep[];
  /** Rows on the screen now. */
  readonly rows: readonly string[];
  /** Lines that left the screen. */
  readonly settled: readonly string[];
  readonly isClosed: boolean;
}

export function recordingOutput(name = 'terminal'): RecordingOutput {
  const steps: CaptionStep[] = [];
  const settled: string[] = [];
  let state = initialDisplayState;
  let isClosed = false;
  const close = async () => {
    isClosed = true;
  };
  return {
    name,
    steps,
    settled,
    get rows() {
      return state.display.rows;
    },
    get isClosed() {
      return isClosed;
    },
    take(step) {
      steps.push(step);
      const before = state.display;
      state = nextDisplay(state, step, { columns: 42, rows: 3 });
      if (state.display !== before) settled.push(...state.display.settled);
    },
    report: () => ({ shown: steps.length, skipped: 0, failures: 0 }),
    close,
  };
}
