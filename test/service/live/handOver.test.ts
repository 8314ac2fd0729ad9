// @module-tag tools

import { from } from 'rxjs';
import { expect, test } from 'vitest';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { pace } from '../../../src/audio/pace.ts';
import { toFloats } from '../../../src/audio/pcm/pcm.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { startFaultProxy } from '../../helpers/faultProxy.ts';
import { finalWords } from '../../helpers/finalWords.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import { type StreamRun, streamRun } from '../../helpers/streamRun.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const RATE = 16_000;
const BLOCK_FRAMES = RATE / 10;
/** Five sentences in 28 s. */
const SPEECH = readSampleSpeech('sense-and-sensibility');

const blocks: readonly AudioBlock[] = Array.from(
  { length: Math.ceil(SPEECH.length / BLOCK_FRAMES) },
  (_, index) => {
    const startFrame = index * BLOCK_FRAMES;
    const samples = toFloats(SPEECH.subarray(startFrame, startFrame + BLOCK_FRAMES));
    return { startFrame, sampleRate: RATE, channels: 1, samples };
  },
);

/** Streams the speech as if it were spoken now. */
function speak(url: string): StreamRun {
  const source = from(blocks).pipe(pace({ speed: 1 }));
  return streamRun(source, { url, token: TEST_TOKEN, resume: {}, skipPostprocessing: true });
}

const wordsOf = ({ events }: StreamRun) => finalWords(events).map(({ value }) => value);

test('each word comes once, though each service of a stream stops while somebody speaks', async context => {
  await needsRecognizer(context);
  await using recognizer = createMoonshineRecognizer({ processes: 1, maxSessions: 4 });
  await recognizer.warm();
  const start = () => startTestService({ recognizer, drainSeconds: 60 });
  const services = [await start(), await start(), await start()];
  await using balancer = await startFaultProxy(services[0]!, []);
  const undisturbed = speak((await start()).url);
  const stream = speak(balancer.url);
  const stopped: Promise<void>[] = [];
  let connection = 0;
  let hasFinal = false;
  stream.onEvent = event => {
    if (event.type === 'connected') {
      connection++;
      hasFinal = false;
    } else if (event.type === 'final') hasFinal = true;
    // In the middle of the second sentence of each service but the last.
    const isSpeaking = event.type === 'partial' && event.elements.length > 2;
    if (!isSpeaking || !hasFinal || stopped.length === connection || connection === services.length) return;
    balancer.to(services[connection]!);
    stopped.push(services[connection - 1]!.close());
  };
  expect(await undisturbed.end).toBeUndefined();
  expect(await stream.end).toBeUndefined();
  await Promise.all(stopped);
  expect([connection, stopped.length]).toEqual([3, 2]);
  expect(wordsOf(undisturbed).length).toBeGreaterThan(60);
  expect(wordsOf(stream)).toEqual(wordsOf(undisturbed));
  const reconnections = stream.statuses.filter(({ type }) => type === 'reconnecting');
  expect(reconnections).toMatchObject([{ delayMs: 0 }, { delayMs: 0 }]);
});
