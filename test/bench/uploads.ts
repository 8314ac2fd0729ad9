import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { FORM_END, FORM_TYPE, partHead } from '../helpers/formBody.ts';
import { scriptedSpeech } from '../helpers/scriptedRecognizer.ts';
import { wav } from '../helpers/wavBytes.ts';
import { scratchDirectory } from './parts/scratch.ts';
import type { TargetReport } from './uploads/target.ts';

const SPEECH = wav(new Uint8Array(scriptedSpeech([4, 7]).buffer));
const TOKEN = 'token-of-the-bench';
const MB = 1_000_000;
const JOBS = '/speechtotext/v1/jobs';
/** Milliseconds after the start, in which the memory used to load the database is returned. */
const SETTLE_MS = 15_000;

/** Measures the memory and time of uploads of noise. */
export async function run(): Promise<void> {
  await using scratch = await scratchDirectory();
  // The first start creates the database, which takes memory that later ones do not.
  await stop(await start(scratch.path));
  const service = await start(scratch.path);
  await upload(service.url, [SPEECH]);
  await setTimeout(SETTLE_MS);
  const rows = [];
  for (const [count, megabytes] of [
    [1, 2000],
    [10, 100],
  ] as const) {
    const before = await report(service);
    const startMs = performance.now();
    await Promise.all(Array.from({ length: count }, () => upload(service.url, noise(megabytes * MB))));
    const seconds = (performance.now() - startMs) / 1000;
    const { peakMb, p99Ms, worstMs } = await report(service);
    rows.push({
      uploads: `${count} x ${megabytes} MB`,
      'MB/s': Math.round((count * megabytes) / seconds),
      'RSS before MB': Math.round(before.rssMb),
      'at most MB': Math.round(peakMb),
      'event loop p99 ms': p99Ms.toFixed(1),
      'worst ms': worstMs.toFixed(1),
    });
  }
  console.table(rows);
  await stop(service);
}

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(directory: string): Promise<Started> {
  // Plain Node, as in production.
  const child = fork(new URL('./uploads/target.ts', import.meta.url), [directory, TOKEN], {
    execArgv: [],
  });
  const [url] = (await once(child, 'message')) as [string];
  return { child, url };
}

async function stop({ child }: Started): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}

async function report({ child }: Started): Promise<TargetReport> {
  child.send('report');
  return ((await once(child, 'message')) as [TargetReport])[0];
}

function* noise(bytes: number): Generator<Uint8Array> {
  const piece = Buffer.alloc(MB, 7);
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece;
}

/** Yields a form, no faster than it is read. */
async function upload(url: string, media: Iterable<Uint8Array>): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': FORM_TYPE };
  const form = request(url + JOBS, { method: 'POST', headers });
  const answered = once(form, 'response');
  form.write(partHead({ name: 'media', filename: 'noise.raw' }));
  for (const piece of media) {
    if (!form.write(piece)) await once(form, 'drain');
  }
  form.end(FORM_END);
  const [response] = await answered;
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(answer);
}
