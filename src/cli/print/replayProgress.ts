import { clock } from '../../replay/report/figures.ts';
import type { SuiteProgress } from '../../replay/suite/run/runSuite.ts';
import type { ProgressLine } from './progressLine.ts';

const REPAINT_MS = 200;

/**
 * Shows the progress of a suite on a line, which is repainted a few times a second.
 *
 * @param secondsOf resolves with the seconds of all audio, or with undefined when they are not known: then streams are
 *   counted. Its signal is aborted when the line is disposed of
 */
export function replayProgress(
  line: ProgressLine,
  secondsOf: (signal: AbortSignal) => Promise<number | undefined>,
): Disposable & { readonly show: (progress: SuiteProgress) => void } {
  const startMs = performance.now();
  const over = new AbortController();
  let latest: SuiteProgress | undefined;
  let total: number | undefined;
  secondsOf(over.signal).then(
    seconds => {
      total = seconds;
    },
    // The suite has failed by then: its error is reported by the suite.
    () => {},
  );
  const timer = setInterval(() => {
    if (!latest) return;
    const { done, streams, seconds } = latest;
    const fraction = total ? Math.min(1, seconds / total) : done / streams;
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

function progressText(
  { done, streams, seconds }: SuiteProgress,
  elapsedMs: number,
  fraction: number,
): string {
  const left = fraction > 0 ? `, ${clock((elapsedMs * (1 / fraction - 1)) / 1000)} left` : '';
  return `${done} of ${streams} streams, ${clock(seconds)} of audio${left}`;
}
