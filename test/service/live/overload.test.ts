// @module-tag slow
// @module-tag tools

import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { piecesOf } from '../../helpers/cutAudio.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { startTestService } from '../../helpers/testService.ts';

/** More than one process carries. */
const STREAMS = 12;
const PIECE_FRAMES = 1600;
const reading = readSampleSpeech('sense-and-sensibility');
const speech = joined(reading.subarray(0, 10 * 16_000), silence(0.6));

test('streams beyond the processors wait for their turn, and none loses a word', {
  timeout: 600_000,
}, async context => {
  await needsRecognizer(context);
  await using recognizer = createMoonshineRecognizer({ processes: 1, maxSessions: 2 * STREAMS });
  const service = await startTestService({ recognizer, limits: { account: { streams: STREAMS } } });
  const expected = await wordsOf(service, { speed: 'max' });
  expect(expected.length).toBeGreaterThan(10);

  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, recognizer.usage!().streams);
  }, 100);
  try {
    const heard = await Promise.all(Array.from({ length: STREAMS }, () => wordsOf(service, { speed: 1 })));
    for (const words of heard) expect(words).toEqual(expected);
  } finally {
    clearInterval(watching);
  }
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(STREAMS);
});

/** Sends the speech, at real time or at once, and returns the words that come back. */
async function wordsOf(
  service: { readonly url: string },
  { speed }: { readonly speed: 1 | 'max' },
): Promise<readonly string[]> {
  const client = connectStream(service, { max_connection_wait_seconds: 600 });
  await client.opened;
  for (const piece of piecesOf(speech, PIECE_FRAMES)) {
    client.send(piece);
    if (speed === 1) await setTimeout(PIECE_FRAMES / 16);
  }
  expect((await client.finish()).code).toBe(1000);
  return client.finalWords();
}
