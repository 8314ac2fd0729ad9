import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Service } from '../../../src/service/app.ts';
import { cli, type RunningCommand, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const WAV = new URL('../../../samples/not-ill-disposed.wav', import.meta.url).pathname;
let service: Service;
beforeEach(async () => {
  service = await startTestService();
});

async function urlOf(running: RunningCommand): Promise<string> {
  return JSON.parse(await running.line(/^\{/)).url;
}
const caption = (url: string) =>
  runCommand(cli`caption ${WAV} --speed max --json --url ${url} --token ${TEST_TOKEN}`);

test('proxy passes streams', async () => {
  const record = join(await temporaryDirectory(), 'sessions');
  await using running = startCommand(cli`proxy --url ${service.url} --record ${record}`);
  const url = await urlOf(running);
  const direct = await caption(service.url);
  const through = await caption(url);
  console.log(direct.stdout.slice(0, 600), direct.stdout.length, through.stdout.length, through.stderr);
  running.interrupt();
  console.log(await running.done);
  console.log(
    readdirSync(record),
    readFileSync(join(record, 'session-0001.cassette.jsonl'), 'utf8').slice(0, 3000),
  );
  const replayed = await runCommand(cli`replay ${record}`);
  console.log(replayed);
});
