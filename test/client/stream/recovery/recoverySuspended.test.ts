// @module-tag slow

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';
import { postgresPrograms, startPostgres } from '../../../helpers/postgresServer.ts';
import { type ServiceProcess, startServiceProcess } from '../../../helpers/serviceProcess.ts';
import { FLOWING_SPEECH } from '../../../helpers/standbyRun.ts';
import type { StreamResult } from '../../../helpers/streamsMain.ts';
import { TEST_TOKEN } from '../../../helpers/testService.ts';

const STREAMS = 50;
/** Longer than the timeouts of client and service, and than the heartbeats of the store. */
const SUSPENDED_MS = 35_000;
/** Twenty seconds of utterances, live: no word is said twice. */
const SPEECH = {
  ...FLOWING_SPEECH,
  levels: Array.from({ length: 200 }, (_, index) => (index % 14 < 9 ? index + 1 : 0)),
};
const WORDS = SPEECH.levels.flatMap((level, index) => (level === 0 ? [] : [`w${level} ${index / 10}`]));

/** Streams from a process of its own, and suspends a part of the installation while all streams are within words. */
async function expectNoChange(
  service: ServiceProcess,
  signal: (client: number, name: 'SIGSTOP' | 'SIGCONT') => void,
): Promise<readonly StreamResult[]> {
  const program = new URL('../../../helpers/streamsMain.ts', import.meta.url).pathname;
  const options = { url: service.url, token: TEST_TOKEN, speech: SPEECH, streams: STREAMS };
  const client = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void client.kill('SIGKILL'));
  const exited = once(client, 'exit');
  let [connected, last] = [0, ''];
  const lines = createInterface(client.stdout);
  const allConnected = new Promise<void>(resolve => {
    lines.on('line', line => {
      last = line;
      if (++connected === STREAMS) resolve();
    });
  });
  await Promise.race([allConnected, exited]);
  await setTimeout(2000);
  signal(client.pid!, 'SIGSTOP');
  await setTimeout(SUSPENDED_MS);
  signal(client.pid!, 'SIGCONT');
  await exited;
  const results = JSON.parse(last) as readonly StreamResult[];
  for (const { words, error } of results) {
    expect(error).toBeUndefined();
    expect(words).toEqual(WORDS);
  }
  expect(results).toHaveLength(STREAMS);
  return results;
}

const options = { token: TEST_TOKEN, logLevel: 'silent', limits: { account: { streams: 1000 } } } as const;

test('a service that is suspended within words changes none', { timeout: 300_000 }, async () => {
  const service = await startServiceProcess(options);
  const results = await expectNoChange(service, (_, name) => process.kill(service.pid, name));
  expect(results.some(({ connections }) => connections > 1)).toBe(true);
});

test('a client that is suspended within words changes none', { timeout: 300_000 }, async () => {
  const service = await startServiceProcess(options);
  const results = await expectNoChange(service, (client, name) => process.kill(client, name));
  expect(results.every(({ connections }) => connections > 1)).toBe(true);
});

test('a database that is suspended while people speak changes no word', {
  timeout: 300_000,
}, async context => {
  const programs = postgresPrograms();
  if (!programs) return context.skip('needs the package postgresql');
  await using database = await startPostgres(programs);
  const service = await startServiceProcess({
    ...options,
    databaseUrl: await database.createDatabase(),
    dataDirectory: await temporaryDirectory(),
  });
  await expectNoChange(service, (_, name) => (name === 'SIGSTOP' ? database.pause() : database.goOn()));
  await service.end('SIGTERM');
});
