// @module-tag slow

import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { expectAllWords } from '../../../helpers/recoveryCase.ts';
import { scenarioSource } from '../../../helpers/scenarioSource.ts';
import { startServiceProcess } from '../../../helpers/serviceProcess.ts';
import { FLOWING_SPEECH } from '../../../helpers/standbyRun.ts';
import { streamRun } from '../../../helpers/streamRun.ts';
import { TEST_TOKEN } from '../../../helpers/testService.ts';

const KILLS = 3;

/** Twenty seconds of utterances, live: no word is said twice. */
const speech = {
  ...FLOWING_SPEECH,
  levels: Array.from({ length: 200 }, (_, index) => (index % 14 < 9 ? index + 1 : 0)),
};

test('a service that is killed again and again, at moments that nobody chose, costs no word', async () => {
  const options = { token: TEST_TOKEN, logLevel: 'silent' } as const;
  let service = await startServiceProcess(options);
  const { url } = service;
  const port = Number(new URL(url).port);
  const stream = streamRun(scenarioSource(speech, systemClock), {
    ...{ url, token: TEST_TOKEN, skipPostprocessing: true },
    resume: { baseDelayMs: 50, maxDelayMs: 100 },
  });
  for (let kill = 1; kill <= KILLS; kill++) {
    await Promise.race([stream.until('connected', kill), stream.end]);
    await Promise.race([setTimeout(Math.random() * 1500), stream.end]);
    await service.end('SIGKILL');
    service = await startServiceProcess({ ...options, port });
  }
  const error = await stream.end;
  expectAllWords({ events: stream.events, error }, speech);
  expect(stream.statusTypes).toContain('reconnecting');
  // A service that was restarted knows nothing of the sessions before it.
  const ids = stream.events.flatMap(event => (event.type === 'connected' ? [event.id] : []));
  expect(new Set(ids).size).toBe(ids.length);
});
