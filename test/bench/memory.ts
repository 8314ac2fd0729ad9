import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { scriptedSpeech } from '../helpers/scriptedRecognizer.ts';
import { connectStream } from '../helpers/streamClient.ts';
import { TEST_TOKEN } from '../helpers/testService.ts';

const STREAMS = 200;
const ROUNDS = 3;
const IDLE_SECONDS = 10;
const SPEECH = scriptedSpeech(new Array(10).fill([4, 7, 0, 0, 0, 9]).flat());
const OPTIONS = {
  token: TEST_TOKEN,
  logLevel: 'silent',
  limits: { account: { streams: STREAMS, requestsPerSecond: 1e6, requestBurst: 1e6 } },
};

/** Measures the memory of a service with the embedded database before and after 200 concurrent streams, and when idle. Linux only. */
export async function run(): Promise<void> {
  const main = fileURLToPath(new URL('../helpers/serviceMain.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', main, JSON.stringify(OPTIONS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const service = JSON.parse(String((await once(child.stdout, 'data'))[0])) as { url: string };
  const status = () => readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const mebibytes = () => Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status())![1]) / 1024);
  await stream(service);
  await setTimeout(IDLE_SECONDS * 1000);
  const rows = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const before = mebibytes();
    await Promise.all(Array.from({ length: STREAMS }, () => stream(service)));
    const after = mebibytes();
    await setTimeout(IDLE_SECONDS * 1000);
    rows.push({ round, 'before (MiB)': before, 'after (MiB)': after, 'idle (MiB)': mebibytes() });
  }
  console.table(rows);
  child.kill();
}

async function stream(service: { readonly url: string }): Promise<void> {
  const client = connectStream(service);
  await client.connected;
  client.send(SPEECH);
  client.send('EOS');
  await client.closed;
}
