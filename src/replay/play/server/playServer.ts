import { systemClock } from '../../../base/clock.ts';
import { createId } from '../../../base/ids.ts';
import { STREAM_PATH } from '../../../protocol/interfaceNames.ts';
import type { Cassette } from '../../cassette/cassette.ts';
import type { HoldableClock } from '../../time/virtualClock.ts';
import type { FaultSchedule, PlannedPlayFault } from '../faults/faultSchedule.ts';
import type { MatchOptions } from '../match/connectionWatch.ts';
import { CassetteMismatchError, type Mismatch } from '../match/mismatch.ts';
import type { AnsweringServer } from '../source/lockStep.ts';
import { FAULT_SERVER_LIMITS, type FaultServerAddress, startFaultServer } from './faultServer.ts';
import { PlaybackSession } from './playbackSession.ts';
import { answerProblem } from './rawTcp.ts';

export interface PlayServerOptions extends FaultServerAddress {
  /**
   * Time of each message. `none`: as soon as as much audio has arrived as in the recording. `recorded`: as long after
   * that as in the recording, on the clock. Default `none`.
   */
  readonly latency?: 'none' | 'recorded';
  /** Faults. Default: none. */
  readonly faults?: FaultSchedule;
  /** Seed of everything random: the same seed and the same audio give the same bytes. Default 0. */
  readonly seed?: number;
  /** Clock of latencies and faults. A `VirtualClock` waits for this server. Default: the system clock. */
  readonly clock?: HoldableClock;
  /** Parts of the session to compare with the recording. Default: all. */
  readonly match?: MatchOptions;
  /** With `close`, a client that differs from the recording is closed with 4002 and the reason. Default `report`. */
  readonly onMismatch?: 'report' | 'close';
  /** Token that clients need. Default: a random one. */
  readonly token?: string;
}

/** Defaults of {@link PlayServerOptions}. */
export const PLAY_SERVER_DEFAULTS = {
  latency: 'none',
  seed: 0,
  onMismatch: 'report',
  ...FAULT_SERVER_LIMITS,
} as const;

/** A service that replays a recording. */
export interface CassetteServer extends AnsweringServer, AsyncDisposable {
  /** Address of the stream for `transcribe`. */
  readonly url: string;
  /** Token that the service requires. */
  readonly token: string;
  /** Differences between clients and the recording so far. */
  readonly mismatches: readonly Mismatch[];
  /** Faults whose moment has not come, in the order of the connections. */
  readonly waitingFaults: readonly PlannedPlayFault[];
  /**
   * Checks the session after the client has finished; missing connections and missing ends count as well.
   *
   * @throws CassetteMismatchError when a client differs from the recorded one
   */
  check(): void;
  /** Closes all connections and stops listening. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts a WebSocket service on the loopback address that replays a cassette on the audio clock: it responds to the
 * audio that has arrived, at any speed and sample rate. Its first connection replays the first recorded one, its second
 * the second. A connection that begins at another point of the audio, as after a fault, receives what was recorded from
 * its `start_ts` on; a client that connects long before it sends audio may therefore receive other words than those of
 * its audio. A first connection that sends more audio than was recorded on it receives the words of the next ones as
 * well.
 *
 * @throws InvalidArgumentError for faults that cannot happen; RxscribeError `unavailable` for an address that is in use
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
  const clock: HoldableClock = options.clock ?? systemClock;
  const { host, port, tls, faults = [], match = {} } = options;
  const token = options.token ?? createId(32);
  const session = new PlaybackSession(cassette, {
    clock,
    faults,
    token,
    match,
    latency: options.latency ?? PLAY_SERVER_DEFAULTS.latency,
    seed: options.seed ?? PLAY_SERVER_DEFAULTS.seed,
    onMismatch: options.onMismatch ?? PLAY_SERVER_DEFAULTS.onMismatch,
  });
  const server = await startFaultServer({
    ...{ host, port, tls },
    onRequest: ({ url = '' }, response) =>
      answerProblem(response, url.split('?', 1)[0] === STREAM_PATH ? 400 : 404),
    onUpgrade: (request, socket, head) => session.upgrade(request, socket, head),
    onConnection: socket => session.quiescence.arrived(socket),
    onClose: () => session.close().finally(leave),
  });
  const leave = clock.join?.(() => session.quiescence.settle()) ?? (() => {});
  return {
    url: server.url.ws + STREAM_PATH,
    token,
    get mismatches() {
      return session.mismatches;
    },
    get waitingFaults() {
      return session.faults.waiting;
    },
    check() {
      const all = session.finalMismatches();
      if (all.length > 0) throw new CassetteMismatchError(all);
    },
    settled: () => session.quiescence.settled(),
    connected: signal => session.quiescence.connected(signal),
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  };
}
