import { setImmediate } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../../src/engines/native/returnMemory.ts';
import { WaitingAudio } from '../../../src/service/live/backlog.ts';
import { Connection } from '../../../src/service/live/connection.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectedStream, connectStream } from '../../helpers/streamClient.ts';
import { startTestService } from '../../helpers/testService.ts';

const MIB = 1024 * 1024;
const STREAMS = 100;
const SPEECH = scriptedSpeech(new Array(10).fill([4, 7, 0, 0, 0, 9]).flat());

/** Returns the bytes reachable from a value. */
async function usedBytes(): Promise<number> {
  await setImmediate();
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('streams leave nothing in memory, whether consecutive or concurrent', {
  tags: 'slow',
}, async () => {
  const limits = { account: { streams: STREAMS } };
  const service = await startTestService({ limits });
  const stream = async () => {
    const client = connectStream(service);
    expect((await client.finish(SPEECH)).code).toBe(1000);
  };
  const round = async () => {
    for (let i = 0; i < STREAMS / 2; i++) await stream();
    await Promise.all(Array.from({ length: STREAMS }, stream));
  };
  const open = await connectedStream(service);
  expect(queryObjects(Connection)).toBe(1);
  await open.finish();
  await round();
  const before = await usedBytes();
  await round();
  expect((await usedBytes()) - before).toBeLessThan(3 * MIB);
  expect(queryObjects(Connection)).toBe(0);
  expect(queryObjects(WaitingAudio)).toBe(0);
});
