import { clock } from '../../replay/report/figures.ts';
import type { SuiteProgress } from '../../replay/suite/run/runSuite.ts';
import type { ProgressLine } from './progressLine.ts';

const REPAINT_MS = 200;

export interface ReplayProgress extends Disposable {
  /** To be told of each block of audio: it is shown some times a second. */
  readonly show: (progress: SuiteProgress) => void;
}

/**
 * How far a suite is, on a line.
 *
 * @param secondsOf all the audio; until it is known, and where nobody knows it, streams are counted. Its signal is aborted
 *   when the line is disposed of
 */
export function replayProgress(
  line: ProgressLine,
  secondsOf: (signal: AbortSignal) => Promise<number | undefined>,
): ReplayProgress {
  const startMs = performance.now();
  const over = new AbortController();
  let latest: SuiteProgress | undefined;
  let total: number | undefined;
  secondsOf(over.signal).then(
    seconds => {
      total = seconds;
    },
    // It is over, and nobody looks any more.
    () => {},
  );
  const timer = setInterval(() => {
    if (!latest) return;
    const fraction = fractionOf(latest, total);
    line.show(progressText(latest, performance.now() - startMs, fraction), fraction);
  }, REPAINT_MS);
  return {
    show(progress) {
      latest = progress;
      const { file } = progress;
      if (file?.failure !== undefined) line.note(`${file.name}: ${file.failure}`);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      over.abort();
    },
  };
}

function fractionOf({ done, streams, seconds }: SuiteProgress, total: number | undefined): number {
  return total ? Math.min(1, seconds / total) : done / streams;
}

function progressText(
  { done, streams, seconds }: SuiteProgress,
  elapsedMs: number,
  fraction: number,
): string {
  const left = fraction > 0 ? `, ${clock((elapsedMs * (1 / fraction - 1)) / 1000)} left` : '';
  return `${done} of ${streams} streams, ${clock(seconds)} of audio${left}`;
}
