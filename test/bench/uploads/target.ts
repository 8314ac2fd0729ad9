import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startLimitedService } from '../../helpers/limitedService.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';

/** Figures that the service of the benchmark, in a process of its own, reports on request. */
export interface TargetReport {
  readonly rssMb: number;
  /** Peak since the last report. */
  readonly peakMb: number;
  /** Delays of the event loop since the last report. */
  readonly p99Ms: number;
  readonly worstMs: number;
}

const PLENTY = 1_000_000;

async function startService(dataDirectory: string, token: string): Promise<string> {
  const service = await startLimitedService({
    dataDirectory,
    // A task that never ends: one job runs, and the others wait.
    recognizer: createScriptedRecognizer({ beforeWrite: () => new Promise(() => {}) }),
    jobsAtOnce: 1,
    port: 0,
    token,
    logLevel: 'error',
    limits: { account: { jobsInProgress: PLENTY, requestsPerSecond: PLENTY, requestBurst: PLENTY } },
  });
  await service.ready;
  return service.url;
}

const [directory, token] = process.argv.slice(2) as [string, string];
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
let peak = 0;
const rss = () => {
  const bytes = process.memoryUsage.rss();
  peak = Math.max(peak, bytes);
  return bytes;
};
setInterval(rss, 20).unref();

process.on('message', () => {
  const report: TargetReport = {
    rssMb: rss() / 1e6,
    peakMb: peak / 1e6,
    p99Ms: Math.max(0, delay.percentile(99) / 1e6 - 10),
    worstMs: Math.max(0, delay.max / 1e6 - 10),
  };
  peak = 0;
  delay.reset();
  process.send!(report);
});
process.on('disconnect', () => process.exit());
process.send!(await startService(directory, token));
