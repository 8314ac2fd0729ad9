import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { systemClock } from '../../../base/clock.ts';
import { messageOf, RxscribeError } from '../../../base/errors.ts';
import { createId } from '../../../base/ids.ts';
import { PROBLEM_MEDIA_TYPE, STREAM_PATH } from '../../../protocol/interfaceNames.ts';
import type { Cassette } from '../../cassette/cassette.ts';
import type { StillClock } from '../../time/virtualClock.ts';
import { checkFaults, type FaultSchedule } from '../faults/faultSchedule.ts';
import type { MatchOptions } from '../match/connectionWatch.ts';
import { CassetteMismatchError, type Mismatch } from '../match/mismatch.ts';
import type { AnsweringServer } from '../source/lockStep.ts';
import { Stage } from './playbackSession.ts';
import { problemText } from './rawTcp.ts';

export interface PlayServerOptions {
  /**
   * When a message goes out. `none`: as soon as so much audio has come as had been sent when it was recorded.
   * `recorded`: as long after that as in the recording, on the clock. Default `none`.
   */
  readonly latency?: 'none' | 'recorded';
  /** What goes wrong. Default: nothing. */
  readonly faults?: FaultSchedule;
  /** Of what happens at random: the same seed and the same audio give the same bytes. Default 0. */
  readonly seed?: number;
  /** For latencies and faults. A `VirtualClock` waits for this server. Default: the machine's. */
  readonly clock?: StillClock;
  /** What is compared with the recording. Default: all. */
  readonly match?: MatchOptions;
  /** `close`: a client that does otherwise is closed with 4002, and told why. Default `report`. */
  readonly onMismatch?: 'report' | 'close';
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
}

/** Defaults of {@link PlayServerOptions}. */
export const PLAY_SERVER_DEFAULTS = {
  latency: 'none',
  seed: 0,
  onMismatch: 'report',
  host: '127.0.0.1',
  /** Bytes of the longest message taken: half an hour of 16 kHz in one frame. */
  messageBytes: 64 * 1024 * 1024,
  connections: 1000,
} as const;

/** A service that answers as recorded. */
export interface CassetteServer extends AnsweringServer, AsyncDisposable {
  /** Address of the stream, as `transcribe` takes it. */
  readonly url: string;
  /** That it asks for. */
  readonly token: string;
  /** What clients have done otherwise up to now. */
  readonly mismatches: readonly Mismatch[];
  /**
   * To be called when the client is done: fewer connections than recorded, and ends that did not come, count as well.
   *
   * @throws CassetteMismatchError when a client did otherwise than the recorded one
   */
  check(): void;
  /** Ends all connections, and listens no more. Idempotent. */
  close(): Promise<void>;
}

/**
 * A WebSocket service on the loopback address that answers as a cassette has it, on the audio clock: to the audio that has
 * come, at whatever speed and sample rate. Its first connection plays the first one that was recorded, the second the
 * second; one that begins at another place of the audio, as after a fault, gets what was recorded from there on: from its
 * `start_ts` on, so that a client which connects long before it sends is told other words than it sends. One that sends
 * more than the first connection was sent gets the words of the next ones as well.
 *
 * @throws InvalidArgumentError for faults that cannot happen; RxscribeError `unavailable` for an address that is taken
 * @example
 * const cassette = await readCassette('talk.cassette.jsonl');
 * await using server = await playServer(cassette, { faults: [[{ kind: 'cut', afterSeconds: 3 }]] });
 * const live = transcribe({ url: server.url, token: server.token });
 * const events = await lastValueFrom(playSource(cassette, { speed: 'max', server }).pipe(live, toArray()));
 * server.check();
 */
export async function playServer(
  cassette: Cassette,
  options: PlayServerOptions = {},
): Promise<CassetteServer> {
  const clock: StillClock = options.clock ?? systemClock;
  const { faults = [], host = PLAY_SERVER_DEFAULTS.host, port = 0 } = options;
  const token = createId(32);
  const stage = new Stage(cassette, {
    ...{ clock, faults: checkFaults(faults), token },
    latency: options.latency ?? PLAY_SERVER_DEFAULTS.latency,
    seed: options.seed ?? PLAY_SERVER_DEFAULTS.seed,
    match: options.match ?? {},
    onMismatch: options.onMismatch ?? PLAY_SERVER_DEFAULTS.onMismatch,
    messageBytes: PLAY_SERVER_DEFAULTS.messageBytes,
  });
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?', 1);
    const status = path === STREAM_PATH ? 400 : 404;
    response.writeHead(status, { 'content-type': PROBLEM_MEDIA_TYPE }).end(problemText(status));
  });
  server.maxConnections = PLAY_SERVER_DEFAULTS.connections;
  const sockets = new Set<Socket>();
  server.on('connection', socket => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    stage.stillness.arrived(socket);
  });
  server.on('upgrade', (request, socket, head) => stage.upgrade(request, socket as Socket, head));
  await listen(server, host, port);
  const leave = clock.join?.(() => stage.stillness.settle()) ?? (() => {});
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeAll(server, sockets, stage).finally(leave);
    return closing;
  };
  return {
    url: addressOf(server, host),
    token,
    get mismatches() {
      return stage.mismatches;
    },
    check() {
      const all = stage.finalMismatches();
      if (all.length > 0) throw new CassetteMismatchError(all);
    },
    settled: () => stage.stillness.settled(),
    connected: signal => stage.stillness.connected(signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const problem = `play cassette: cannot listen on ${host}, port ${port}: ${messageOf(cause)}`;
    throw new RxscribeError('unavailable', problem, { cause });
  }
}

async function closeAll(server: Server, sockets: ReadonlySet<Socket>, stage: Stage): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await stage.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `ws://${host.includes(':') ? `[${host}]` : host}:${port}${STREAM_PATH}`;
}
