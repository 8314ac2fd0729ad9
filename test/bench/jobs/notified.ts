import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../../src/base/clock.ts';
import { createAddressGuard } from '../../../src/service/outbound/addressGuard.ts';
import { notificationDeliveries } from '../../../src/service/persistence/storedPersistence.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { quantile } from '../../helpers/quantile.ts';

const JOBS = 500;

/** Measures the milliseconds between the end of a task and its notification: one job at a time, and all at once. */
export async function notifiedAfter(dataDirectory: string) {
  const ends = new Map<string, number>();
  const waits: number[] = [];
  const receiver = createServer((request, response) => {
    const at = performance.now();
    let body = '';
    request.on('data', data => {
      body += String(data);
    });
    request.on('end', () => {
      waits.push(at - ends.get(JSON.parse(body).job)!);
      response.end();
    });
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await using service = openJobStore(
    { dataDirectory },
    {
      ...notificationDeliveries({
        brand: 'svc',
        guard: createAddressGuard({ allowPrivate: true }),
        clock: systemClock,
      }),
      concurrency: 8,
      tasks: {
        async async({ id }) {
          ends.set(id, performance.now());
          return { results: { transcript: '{}' } };
        },
      },
    },
  );
  await service.accounts.initialToken;
  const submit = (id: string) =>
    service.jobs.submit({
      ...{ id, accountId: 'owner', type: 'async', reserveSeconds: 0, notification: { url } },
    });
  const notified = async (count: number) => {
    while (waits.length < count) await setTimeout(1);
  };
  const rows = [];
  for (let index = 0; index < JOBS; index++) {
    await submit(`one${index}`);
    await notified(index + 1);
  }
  rows.push({ jobs: 'one at a time', ...percentiles(waits.splice(0)) });
  for (let index = 0; index < JOBS; index++) await submit(`all${index}`);
  await notified(JOBS);
  rows.push({ jobs: `${JOBS} queued`, ...percentiles(waits.splice(0)) });
  receiver.close();
  receiver.closeAllConnections();
  return rows;
}

function percentiles(waits: readonly number[]) {
  const at = (share: number) => Math.round(quantile(waits, share) * 10) / 10;
  return { 'p50 (ms)': at(0.5), 'p99 (ms)': at(0.99) };
}
