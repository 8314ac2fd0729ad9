import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import fastify from 'fastify';
import { createId } from '../../../src/base/ids.ts';
import { createService } from '../../../src/service/app.ts';
import { openPglite } from '../../../src/service/store/pglite.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';

/** The server under test, in a process of its own: the service, or a bare route with one insert. */
export type Target = 'service' | 'bare';

/** Figures that the process reports on request. */
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
  const service = await createService({
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

/** The least that could be called a job: one durable row, written by POST and read by GET. */
async function startBare(directory: string): Promise<string> {
  const database = await openPglite(join(directory, 'bare'));
  await database.exec('create table if not exists jobs (id text primary key, body jsonb)');
  const app = fastify();
  app.post('/jobs', async ({ body }) => {
    const id = createId();
    await database.query('insert into jobs values ($1, $2)', [id, JSON.stringify(body)]);
    return { id };
  });
  app.get<{ Params: { id: string } }>('/jobs/:id', async ({ params }) => {
    const { rows } = await database.query('select * from jobs where id = $1', [params.id]);
    return rows[0];
  });
  await app.listen({ port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

const [target, directory, token] = process.argv.slice(2) as [Target, string, string];
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
process.send!(await (target === 'service' ? startService(directory, token) : startBare(directory)));
