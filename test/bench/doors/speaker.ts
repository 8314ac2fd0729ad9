import { once } from 'node:events';
import { WebSocket } from 'ws';
import { STREAM_PATH } from '../../../src/protocol/interfaceNames.ts';
import { RAW_16K } from '../../helpers/streamClient.ts';

/** Our own wire always has partials; clients of Deepgram ask for them. */
export const WAYS = ['own wire', 'deepgram', 'deepgram, interim results'] as const;
export type Way = (typeof WAYS)[number];

/** A bare client of a stream. */
export interface Speaker {
  send(audio: Uint8Array): void;
  /** Resolves with the time at which the next final arrives. A stream that is closed before its end fails the bench. */
  nextFinal(): Promise<number>;
  /** Ends the audio, and waits for the close. */
  end(): Promise<void>;
}

/** The part of the messages of both wires that is read. */
interface Message {
  readonly type: string;
  readonly is_final?: boolean;
}

/** Opens a stream; resolves when the service takes audio. */
export async function connect(url: string, token: string, way: Way): Promise<Speaker> {
  const isOwn = way === 'own wire';
  const socket = isOwn ? ownSocket(url, token) : deepgramSocket(url, token, way);
  let next = Promise.withResolvers<number>();
  socket.on('message', data => {
    const nowMs = performance.now();
    const text = String(data);
    const { type, is_final: isFinal } = JSON.parse(text) as Message;
    if (type !== 'final' && !isFinal) return;
    if (!text.includes('w7')) throw new Error(`A final of '${way}' is '${text}'.`);
    next.resolve(nowMs);
    next = Promise.withResolvers();
  });
  let hasEnded = false;
  socket.on('close', code => {
    if (!hasEnded) throw new Error(`A stream of '${way}' was closed with ${code}.`);
  });
  // Our own wire opens before its session has begun.
  await once(socket, isOwn ? 'message' : 'open');
  return {
    send: audio => socket.send(audio),
    nextFinal: () => next.promise,
    async end() {
      hasEnded = true;
      socket.send(isOwn ? 'EOS' : '{"type":"CloseStream"}');
      await once(socket, 'close');
    },
  };
}

function ownSocket(url: string, token: string): WebSocket {
  const query = new URLSearchParams({
    access_token: token,
    content_type: RAW_16K,
    // As in the sessions of Deepgram's interface, so that both have the same work.
    detailed_partials: 'true',
    remove_disfluencies: 'true',
    skip_postprocessing: 'true',
  });
  return new WebSocket(`${url.replace('http', 'ws')}${STREAM_PATH}?${query}`, { perMessageDeflate: false });
}

function deepgramSocket(url: string, token: string, way: Way): WebSocket {
  const query = new URLSearchParams({ encoding: 'linear16', sample_rate: '16000' });
  if (way === 'deepgram, interim results') query.set('interim_results', 'true');
  return new WebSocket(`${url.replace('http', 'ws')}/v1/listen?${query}`, {
    perMessageDeflate: false,
    headers: { authorization: `Token ${token}` },
  });
}
