import { from, NEVER, of, throwError } from 'rxjs';
import { expect, test } from 'vitest';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { observeSession } from '../../../src/replay/session/observeSession.ts';
import { textOf } from '../../../src/transcript/model/model.ts';
import { blockAt } from '../../helpers/streamBlocks.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { scriptedBlocks } from '../vitest/scriptedRun.ts';

const LEVELS = [4, 7, 0, 0, 0, 9, 9];

const speech$ = from(scriptedBlocks(LEVELS));

test('a run has all blocks, events and statuses with their times', async () => {
  const service = await startTestService();
  const live = transcribe({ url: service.url, token: TEST_TOKEN, startTs: 60 });
  const run = await observeSession(speech$, live, { speed: 'max', startTs: 60 });
  expect(run.failure).toBeUndefined();
  expect(run.transcript.monologues.map(({ elements }) => textOf(elements).toLowerCase())).toEqual([
    'w4 w7. w9 w9.',
  ]);
  expect(run).toMatchObject({ sampleRate: 16_000, seconds: 0.7, speed: 'max', startTs: 60 });
  expect(run.audio.map(({ value }) => value.endFrame)).toEqual(LEVELS.map((_, index) => (index + 1) * 1600));
  expect(run.statuses.map(({ value }) => value.type)).toEqual(
    expect.arrayContaining(['connecting', 'open', 'connected', 'draining', 'closed']),
  );
  const times = run.events.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  expect(times[0]).toBeGreaterThan(0);
});

test('a stream that fails is a run with its reason', async () => {
  const service = await startTestService();
  const live = transcribe({ url: service.url, token: 'another-token' });
  const run = await observeSession(speech$, live);
  expect(run.failure).toMatchObject({ code: 'unauthorized' });
  expect(run.transcript.monologues).toEqual([]);
});

test('a source that fails is a run with its reason', async () => {
  const service = await startTestService();
  const live = transcribe({ url: service.url, token: TEST_TOKEN });
  const run = await observeSession(
    throwError(() => new Error('no such file')),
    live,
  );
  expect(run).toMatchObject({ failure: new Error('no such file'), seconds: 0, sampleRate: 0 });
});

test('an aborted run throws the reason, and lets go of the source', async () => {
  const aborted = new AbortController();
  const running = observeSession(of(blockAt(0, 1600)), () => NEVER, { signal: aborted.signal });
  aborted.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  await expect(observeSession(NEVER, () => NEVER, { signal: aborted.signal })).rejects.toThrow('enough');
});
