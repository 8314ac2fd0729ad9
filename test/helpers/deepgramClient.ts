import { type Deepgram, DeepgramClient } from '@deepgram/sdk';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Service } from '../../src/service/app.ts';
import { TEST_TOKEN } from './testService.ts';

type Message =
  | Deepgram.listen.ListenV1Results
  | Deepgram.listen.ListenV1Metadata
  | Deepgram.listen.ListenV1UtteranceEnd
  | Deepgram.listen.ListenV1SpeechStarted;
type V1 = DeepgramClient['listen']['v1'];
type Arguments = Parameters<V1['connect']>[0];

const RAW = { model: 'nova-3', encoding: 'linear16', sample_rate: 16_000, channels: 1 } as const;

const BOTH = [
  ...['diarize', 'dictation', 'filler_words', 'mip_opt_out', 'multichannel', 'numerals', 'profanity_filter'],
  ...['punctuate', 'smart_format', 'detect_entities'],
];
/** Parameters that are true or false in the types of the vendor's client. */
export const BOOLEANS = {
  live: [...BOTH, 'interim_results', 'vad_events'],
  recorded: [...BOTH, 'intents', 'measurements', 'paragraphs', 'sentiment', 'topics', 'utterances'],
} as const;

/** The vendor's client, with the address and the token of a service. */
export function deepgramClient({ url }: Pick<Service, 'url'>, apiKey = TEST_TOKEN): DeepgramClient {
  const environment = { base: url, production: url.replace('http', 'ws'), agent: '', agentRest: '' };
  return new DeepgramClient({ apiKey, environment, maxRetries: 0 });
}

/** An open connection of the vendor's client. */
export interface Listener {
  readonly connection: Awaited<ReturnType<V1['connect']>>;
  readonly messages: readonly Message[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Resolves with the first message, past or to come, that a test wants. */
  message<Type extends Message['type']>(
    type: Type,
    wanted?: (message: Extract<Message, { type: Type }>) => boolean,
  ): Promise<Extract<Message, { type: Type }>>;
  results(): readonly Deepgram.listen.ListenV1Results[];
}

/** Opens a connection of the vendor's client, with the messages that it has received. */
export async function listen(
  service: Pick<Service, 'url'>,
  given: Partial<Arguments> = {},
): Promise<Listener> {
  const client = deepgramClient(service);
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

/** The text of a message. */
export const transcriptOf = ({ channel }: Deepgram.listen.ListenV1Results) =>
  channel.alternatives[0]!.transcript;

/** A plain WebSocket, and how its handshake was answered. */
export function shakeHands(
  service: Pick<Service, 'url'>,
  query: string,
  options: { protocols?: string[]; headers?: Record<string, string> } = {},
) {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/v1/listen?${query}`, options.protocols, {
    headers: options.headers,
  });
  onTestFinished(() => socket.terminate());
  socket.on('error', () => {});
  const answered = new Promise<{ status: number; body?: unknown }>(resolve => {
    socket.on('open', () => resolve({ status: 101 }));
    socket.on('unexpected-response', async (_request, response) => {
      let text = '';
      for await (const piece of response) text += piece;
      resolve({ status: response.statusCode!, body: JSON.parse(text) });
    });
  });
  const closed = new Promise<{ code: number; reason: string }>(resolve =>
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  return { socket, answered, closed };
}
