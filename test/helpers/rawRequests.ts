import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seeded } from '../../src/base/seeded.ts';

/** A token that some of the requests have. */
export const RAW_TOKEN = 'token-of-some-raw-requests-00000';

const RAW_AUDIO = 'audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1';

/** Parts of a request, most of which are proper: a request with many faults is refused for the first. */
interface Parts {
  readonly proper: readonly string[];
  readonly odd: readonly string[];
}

const METHODS: Parts = {
  proper: ['GET', 'POST', 'DELETE', 'HEAD', 'PUT'],
  odd: ['OPTIONS', 'CONNECT', 'PRI', 'get', ''],
};

/** Paths that listeners of this project have, and some that none has. */
const PATHS: Parts = {
  proper: [
    '/',
    '/health/ready',
    '/metrics',
    '/speechtotext/v1/jobs',
    '/speechtotext/v1/jobs/abcdefghijkl/transcript',
    '/speechtotext/v1/stream?access_token=none&content_type=audio/x-wav',
    `/speechtotext/v1/stream?access_token=${RAW_TOKEN}&content_type=audio/*`,
    `/speechtotext/v1/stream?access_token=${RAW_TOKEN}&content_type=${RAW_AUDIO}`,
    '/speechtotext/v1/vocabularies',
    '/svcspeech/v1beta/jobs',
    '/v1/audio/transcriptions',
    '/v1/listen?encoding=linear16&sample_rate=16000',
    '/admin/accounts',
    '/desk',
    '/events',
    '/operator',
    '/operator/events',
    '/notifications',
  ],
  odd: ['/%', '/a#b', '//x', '/\u00e9', 'http://other.example/', '*', 'x:443', ''],
};

const VERSIONS: Parts = { proper: ['HTTP/1.1'], odd: ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''] };

const HOSTS: Parts = {
  proper: ['Host: localhost', 'Host: 127.0.0.1'],
  odd: ['Host: x', 'Host:', '', 'Host: a\r\nHost: b'],
};

const LENGTHS: Parts = {
  proper: ['', '', 'Transfer-Encoding: chunked', 'Content-Length: 5', 'Content-Length: 100000'],
  odd: [
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: chunked, gzip',
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Content-Length: -1',
    'Content-Length: 1\r\nContent-Length: 2',
    'Content-Length: 99999999999999999999',
  ],
};

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket';
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const WEB_SOCKET = `${UPGRADE}\r\n${KEY}\r\nSec-WebSocket-Version: 13`;

const HEADERS: Parts = {
  proper: [
    WEB_SOCKET,
    WEB_SOCKET,
    `Authorization: Bearer ${RAW_TOKEN}`,
    `Authorization: Bearer ${RAW_TOKEN}`,
    'Content-Type: application/json',
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Type: audio/x-wav',
    'Expect: 100-continue',
    'Connection: close',
  ],
  odd: [
    'Content-Type: multipart/form-data',
    'Content-Type: \u00e9',
    'Authorization: Bearer none',
    'Authorization: Basic OjpAQA==',
    'Expect: something',
    'Connection: keep-alive, close',
    'Range: bytes=5-1',
    'Last-Event-ID: -1',
    'Cookie: =; a=%; __proto__=1',
    'X-Forwarded-For: x, ::, 1.1.1.1',
    'Trailer: a',
    'Upgrade: h2c\r\nConnection: Upgrade',
    `${UPGRADE}\r\n${KEY}\r\nSec-WebSocket-Version: 8`,
    `${UPGRADE}\r\nSec-WebSocket-Version: 13`,
    `${WEB_SOCKET}\r\nSec-WebSocket-Protocol: token, none, ,`,
    `${WEB_SOCKET}\r\nSec-WebSocket-Extensions: a=;b`,
    'a'.repeat(9000),
    'no colon',
    'X-Delete: \u007f',
    'X-Tab: \t\u0080',
    ' folded: header',
    'Bad\u0000name: x',
  ],
};

const BODIES = [
  '5\r\nhello\r\n0\r\n\r\n',
  '5\r\nhel',
  'zz\r\nhello\r\n',
  'fffffffffffffffff\r\n',
  '0\r\nTrailer: x\r\n\r\n',
  '5;ext="\u0000"\r\nhello\r\n',
  '--b\r\nContent-Disposition: form-data; name="media"; filename="a.wav"\r\n\r\nRIFF',
  '--b\r\nContent-Disposition: form-data; name="options"\r\n\r\n{}\r\n--b--\r\n',
  '{"a":',
  '{"source_config":{"url":"x"}}',
  '\u0081\u0085\u0000\u0000\u0000\u0000hello',
  '\u0088\u0080\u0000\u0000\u0000\u0000',
  '\u00ff\u00ff\u00ff\u00ff',
  '',
  '',
] as const;

/** One connection of a hostile client. */
interface RawClient {
  /** Sent in these pieces. */
  readonly pieces: readonly Buffer[];
  /** Milliseconds after the last piece until the client leaves. */
  readonly leavesAfterMs: number;
  readonly leaves: 'end' | 'destroy' | 'reset';
}

/** Returns a client with one to three requests: malformed, cut, pipelined, with bodies that are none or do not end. */
function rawClient(random: Random): RawClient {
  const some = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
  const part = ({ proper, odd }: Parts) => some(random() < 0.9 ? proper : odd);
  const request = () => {
    const line = `${part(METHODS)} ${part(PATHS)} ${part(VERSIONS)}`;
    const more = Array.from({ length: Math.floor(random() * 4) }, () => part(HEADERS));
    const head = [line, part(HOSTS), part(LENGTHS), ...more].filter(text => text !== '').join('\r\n');
    return `${head}\r\n\r\n${some(BODIES)}`;
  };
  let text = Array.from({ length: 1 + Math.floor(random() ** 4 * 3) }, request).join('');
  if (random() < 0.15) text = text.slice(0, random() * text.length);
  if (random() < 0.05) text = text.replaceAll('\r\n', '\n');
  const bytes = Buffer.from(text, 'latin1');
  if (random() < 0.05) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  const cut = random() < 0.3 ? Math.floor(random() * bytes.length) : bytes.length;
  return {
    pieces: [bytes.subarray(0, cut), bytes.subarray(cut)].filter(({ length }) => length > 0),
    leavesAfterMs: some([0, 0, 1, 3, 10, 30]),
    leaves: some(['end', 'destroy', 'reset']),
  };
}

export interface RawRequestsOptions {
  /** Number of connections. */
  readonly count: number;
  /** Default 1. */
  readonly seed?: number;
  /** Connections at once. Default 32. */
  readonly atOnce?: number;
}

/** Milliseconds for which a client that has ended its side waits for the other end. */
const ANSWER_MS = 50;

/** Sends random raw requests to a listener. Resolves when every client has left. */
export async function sendRawRequests(
  listener: NetConnectOpts,
  { count, seed = 1, atOnce = 32 }: RawRequestsOptions,
): Promise<void> {
  const random = seeded(seed);
  let left = count;
  const client = async () => {
    while (left-- > 0) await visit(listener, rawClient(random));
  };
  await Promise.all(Array.from({ length: atOnce }, client));
}

async function visit(listener: NetConnectOpts, { pieces, leavesAfterMs, leaves }: RawClient): Promise<void> {
  const socket: Socket = connect(listener);
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  socket.on('error', () => {}).resume();
  for (const piece of pieces) {
    socket.write(piece);
    await sleep(1);
  }
  await sleep(leavesAfterMs);
  if (leaves === 'end') {
    socket.end();
    await Promise.race([closed, sleep(ANSWER_MS)]);
  }
  if (leaves === 'reset' && 'port' in listener) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}
