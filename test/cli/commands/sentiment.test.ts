import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { expect, onTestFinished, test, vi } from 'vitest';
import { embeddedService } from '../../../src/cli/local/embeddedService.ts';
import { SLOW_START_MS, SLOW_START_NOTE } from '../../../src/cli/service/startEmbedded.ts';
import { DEFAULT_BRAND } from '../../../src/protocol/interfaceNames.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { pgliteVersion } from '../../../src/service/store/pglite.ts';
import { advanceUntil } from '../../helpers/advanceUntil.ts';
import { idleContext, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { testRecognizer } from '../../helpers/needs.ts';

testRecognizer('sentiment scores sentences with an embedded service', async () => {
  const text = 'What a wonderful day. The food was terrible. It rained.';
  const { code, stdout, stderr } = await runCommand(['sentiment', '--text', text]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(
    'positive\t0.57\tWhat a wonderful day.\nnegative\t-0.48\tThe food was terrible.\nneutral\t0.00\tIt rained.\n',
  );
  const refused = await runCommand(['sentiment', '--language', 'de', '--text', 'Schön.']);
  expect(refused).toMatchObject({ code: 5, stdout: '' });
  expect(refused.stderr).toContain('language: must be a language of this service (en), not de');
});

test('sentiment waits for a service that starts slowly, and says so', async () => {
  const release = await holdDatabase();
  const clock = new VirtualClock();
  await using command = startCommand(['sentiment', '--text', 'What a wonderful day.'], { clock });
  await advanceUntil(clock, SLOW_START_MS, command.errorLine(new RegExp(`^${SLOW_START_NOTE}$`)));
  await release();
  const stdout = 'positive\t0.57\tWhat a wonderful day.\n';
  expect(await command.done).toEqual({ code: 0, stdout, stderr: '' });
});

test('a service inside this process is ready when its database is open', async () => {
  const release = await holdDatabase();
  const options = { brand: DEFAULT_BRAND, recognizes: false, keepsJobs: true };
  await using service = await embeddedService(idleContext(), options);
  const readiness = async () => (await fetch(`${service.url}/health/ready`)).json();
  expect(await readiness()).toMatchObject({ detail: 'The service is not ready (waiting for: store).' });
  await release();
  await service.ready;
  expect(await readiness()).toEqual({ status: 'ok' });
});

/** Makes new databases in memory wait for their template. Returns a function that gives it to them. */
async function holdDatabase(): Promise<() => Promise<void>> {
  const name = join('database', `pglite-${pgliteVersion()}.tar.gz`);
  const template = await readFile(join(envPaths('rxscribe', { suffix: '' }).cache, name)).catch(() => '');
  const cache = await temporaryDirectory();
  const held = join(cache, 'rxscribe', name);
  mkdirSync(dirname(held), { recursive: true });
  execFileSync('mkfifo', [held]);
  vi.stubEnv('XDG_CACHE_HOME', cache);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => writeFile(held, template);
}
