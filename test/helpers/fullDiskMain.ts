import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { openJobStore } from './jobStore.ts';
import { OWNER, submission } from './scriptedTasks.ts';

/**
 * A program with a job and a stream that end while its files may not grow, as on a full disk. It waits until both have
 * noticed, makes room, waits for their ends, and prints the outcome.
 */
const TEXT = 'x'.repeat(100_000);
const limitFiles = (bytes: number | 'unlimited') =>
  execFileSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:`]);

const errors: unknown[] = [];
let tries = 0;
const place = {};
await using service = openJobStore(place, {
  tasks: {
    async async() {
      tries++;
      limitFiles(TEXT.length / 2);
      return { durationSeconds: 1, results: { transcript: TEXT } };
    },
  },
  onError: error => errors.push(error),
});
const { jobs, accounts } = service;
await accounts.initialToken;
const stream = jobs.start({ id: 'stream', accountId: OWNER, type: 'stream' });
await jobs.find(OWNER, 'stream');
await jobs.submit(submission('recording'));
await until(() => errors.length > 0);
stream.end({ status: 'done' }, { transcript: TEXT });
await until(() => errors.length > 1);
const recording = await jobs.find(OWNER, 'recording');
limitFiles('unlimited');
const results: unknown[] = [];
for (const id of ['recording', 'stream']) {
  await until(async () => (await jobs.find(OWNER, id))?.status !== 'in_progress');
  const { status } = (await jobs.find(OWNER, id))!;
  results.push([id, status, (await jobs.result(id, 'transcript')) === TEXT]);
}
process.stdout.write(
  JSON.stringify({ meanwhile: recording?.status, errors: errors.map(String), tries, results }),
);

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await sleep(10);
}
