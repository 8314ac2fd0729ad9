// @module-tag tools

import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { concatMap, from, map, of } from 'rxjs';
import { expect, test } from 'vitest';
import { chunk } from '../../../../src/audio/chunk.ts';
import { pace } from '../../../../src/audio/pace.ts';
import { fromFile } from '../../../../src/audio/source/file.ts';
import { decoders, moonshine } from '../../../engines/moonshine/moonshine.ts';
import { finalWords } from '../../../helpers/finalWords.ts';
import { type StreamRun, streamRun } from '../../../helpers/streamRun.ts';
import { startTestService, TEST_TOKEN } from '../../../helpers/testService.ts';

const SPEECH = fileURLToPath(new URL('../../../../samples/sense-and-sensibility.wav', import.meta.url));
const STALL_MS = 4000;
const IDLE_MS = 1000;

const textOf = ({ events }: StreamRun) =>
  finalWords(events)
    .map(({ value }) => value)
    .join(' ');

test('a recogniser that is suspended within words changes none', { timeout: 300_000 }, async context => {
  const service = await startTestService({
    recognizer: await moonshine(context, { maxSessions: 8 }),
    limits: { stream: { stallMs: STALL_MS } },
  });
  const stream = () =>
    streamRun(fromFile(SPEECH).pipe(pace({ speed: 2 }), chunk()), {
      ...{ url: service.url, token: TEST_TOKEN, skipPostprocessing: true },
      ...{ resume: { baseDelayMs: 10, maxDelayMs: 100 } },
    });
  const uncut = stream();
  expect(await uncut.end).toBeUndefined();
  const run = stream();
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of decoders()) process.kill(pid, name);
  };
  await Promise.race([run.untilEvents(5), run.end]);
  signal('SIGSTOP');
  await setTimeout(2 * STALL_MS);
  signal('SIGCONT');
  await Promise.race([run.untilEvents(12), run.end]);
  signal('SIGSTOP');
  // The service gives up when the audio has ended, at the latest.
  await Promise.race([run.until('reconnecting'), run.end]);
  signal('SIGCONT');
  expect(await run.end).toBeUndefined();
  expect(textOf(run)).toBe(textOf(uncut));
  expect(run.statusTypes).toContain('reconnecting');
});

test('an uplink that is held within words changes none', { timeout: 300_000 }, async context => {
  const service = await startTestService({
    recognizer: await moonshine(context, { maxSessions: 8 }),
    limits: { stream: { idleMs: IDLE_MS } },
  });
  const stream = (heldSeconds?: number) => {
    let seconds = 0;
    const held$ = fromFile(SPEECH).pipe(
      pace({ speed: 2 }),
      chunk(100),
      concatMap(block => {
        const isHeld = seconds === heldSeconds;
        seconds = Math.round(10 * seconds + 1) / 10;
        // Until the service has closed: a busy one takes longer.
        return isHeld ? from(run.until('reconnecting')).pipe(map(() => block)) : of(block);
      }),
    );
    const resume = { baseDelayMs: 10, maxDelayMs: 100 };
    const run: StreamRun = streamRun(held$, {
      url: service.url,
      token: TEST_TOKEN,
      skipPostprocessing: true,
      resume,
    });
    return run;
  };
  const uncut = stream();
  expect(await uncut.end).toBeUndefined();
  // Within 'leisure', 'prudently', 'not', 'ill-disposed', 'cold-hearted', and later.
  for (const heldSeconds of [2.5, 5.2, 8.5, 9.3, 13, 20.4]) {
    // One after another: the service is idle only when it has read everything.
    const cut = stream(heldSeconds);
    expect(await cut.end).toBeUndefined();
    expect(textOf(cut)).toBe(textOf(uncut));
    expect(cut.statusTypes).toContain('reconnecting');
  }
});
