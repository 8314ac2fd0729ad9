import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type Deepgram, DeepgramClient } from '@deepgram/sdk';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Service } from '../../../src/service/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { keptService, SPEECH, speechFile } from '../../helpers/keptService.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { request, TEST_TOKEN } from '../../helpers/testService.ts';

const recognizer = createScriptedRecognizer();
const service = keptService({ doors: ['deepgram'], recognizer });

type Message =
  | Deepgram.listen.ListenV1Results
  | Deepgram.listen.ListenV1Metadata
  | Deepgram.listen.ListenV1UtteranceEnd
  | Deepgram.listen.ListenV1SpeechStarted;
type Arguments = Parameters<DeepgramClient['listen']['v1']['connect']>[0];

const RAW = { model: 'nova-3', encoding: 'linear16', sample_rate: 16_000, channels: 1 } as const;

function clientOf({ url }: Pick<Service, 'url'> = service(), apiKey = TEST_TOKEN): DeepgramClient {
  const environment = { base: url, production: url.replace('http', 'ws'), agent: '', agentRest: '' };
  return new DeepgramClient({ apiKey, environment, maxRetries: 0 });
}

/** A connection of the vendor's client, with the messages that it has received. */
async function listen(given: Partial<Arguments> = {}, client = clientOf()) {
  const connection = await client.listen.v1.connect({ ...RAW, reconnectAttempts: 0, ...given } as Arguments);
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  connection.on('message', message => {
    messages.push(message);
    for (const look of waiting) look();
  });
  const closed = new Promise<{ readonly code: number; readonly reason: string }>(resolve =>
    connection.on('close', ({ code, reason }) => resolve({ code, reason })),
  );
  connection.on('error', () => {});
  onTestFinished(() => connection.close());
  connection.connect();
  await connection.waitForOpen();
  const message = <Type extends Message['type']>(
    type: Type,
    wanted: (message: Extract<Message, { type: Type }>) => boolean = () => true,
  ) =>
    new Promise<Extract<Message, { type: Type }>>((resolve, reject) => {
      const look = () => {
        const found = messages.find(
          (one): one is Extract<Message, { type: Type }> =>
            one.type === type && wanted(one as Extract<Message, { type: Type }>),
        );
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void closed.then(({ code, reason }) => reject(new Error(`closed with ${code} ${reason}`)));
    });
  const results = () =>
    messages.filter(({ type }) => type === 'Results') as Deepgram.listen.ListenV1Results[];
  return { connection, messages, closed, message, results };
}

const transcriptOf = ({ channel }: Deepgram.listen.ListenV1Results) => channel.alternatives[0]!.transcript;

test("a live session has results of the vendor's client", async () => {
  const { connection, messages, closed, results } = await listen({
    interim_results: 'true',
    punctuate: 'true',
  });
  connection.sendMedia(scriptedSpeech(SPEECH));
  connection.sendCloseStream({ type: 'CloseStream' });
  expect((await closed).code).toBe(1000);
  expect(results().map(result => [result.is_final, result.speech_final, transcriptOf(result)])).toEqual([
    [false, false, 'w4'],
    [false, false, 'w4 w7'],
    [true, true, 'W4 w7.'],
    [false, false, 'w9'],
    [true, true, 'W9.'],
  ]);
  const last = results()[2]!;
  expect(last).toMatchObject({ channel_index: [0, 1], start: 0, duration: 0.2, from_finalize: false });
  expect(last.channel.alternatives[0]!.words).toMatchObject([
    { word: 'w4', start: 0, end: 0.1, punctuated_word: 'W4' },
    { word: 'w7', start: 0.1, end: 0.2, punctuated_word: 'w7.' },
  ]);
  expect(last.metadata.model_info.name).toBe(recognizer.name);
  expect(messages.at(-1)).toMatchObject({
    type: 'Metadata',
    request_id: last.metadata.request_id,
    duration: 0.6,
    channels: 1,
  });
});
