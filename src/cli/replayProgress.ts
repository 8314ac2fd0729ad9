import { clock } from '../replay/report/figures.ts';
import type { SuiteProgress } from '../replay/suite/runSuite.ts';
import type { ProgressLine } from './progressLine.ts';

const REPAINT_MS = 200;

/** How far a suite is, on a line: it is told of each block of audio, and shown some times a second. */
export function replayProgress(line: ProgressLine): Disposable & {
  readonly show: (progress: SuiteProgress) => void;
} {
  const startMs = performance.now();
  let latest: SuiteProgress | undefined;
  const timer = setInterval(() => {
    if (latest) line.show(progressText(latest, performance.now() - startMs), latest.done / latest.streams);
  }, REPAINT_MS);
  return {
    show(progress) {
      latest = progress;
      const { file } = progress;
      if (file?.failure !== undefined) line.note(`${file.name}: ${file.failure}`);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function progressText({ done, streams, seconds }: SuiteProgress, elapsedMs: number): string {
  const leftSeconds = done > 0 ? ((elapsedMs / done) * (streams - done)) / 1000 : undefined;
  const left = leftSeconds === undefined ? '' : `, ${clock(leftSeconds)} left`;
  return `${done} of ${streams} streams, ${clock(seconds)} of audio${left}`;
}
