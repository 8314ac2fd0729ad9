import { systemClock } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import { createId } from '../../../base/ids.ts';
import { STREAM_PATH } from '../../../protocol/interfaceNames.ts';
import type { Cassette } from '../../cassette/cassette.ts';
import type { PlannedPlayFault } from '../faults/faultSchedule.ts';
import { CassetteMismatchError, type Mismatch } from '../match/mismatch.ts';
import type { AnsweringServer } from '../source/playSource.ts';
import { answerProblem, type FaultServerAddress, startFaultServer } from './faultServer.ts';
import type { PlaybackOptions } from './playbackOptions.ts';
import { PlaybackSession } from './playbackSession.ts';

/** Defaults of {@link PlaybackOptions}, besides the clock and the token. */
const PLAYBACK_DEFAULTS = {
  latency: 'none',
  faults: [],
  seed: 0,
  match: {},
} as const;

export interface PlayServerOptions extends FaultServerAddress, Partial<PlaybackOptions> {}

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
 * audio that has arrived, at any speed and sample rate. Recorded breaks of the connection recur, and the next connection
 * goes on. A recorded client that moved to another connection, such as that of a standby, is answered over one. A
 * connection that begins elsewhere, as after a fault, receives what was recorded from its `start_ts` on; a client that
 * connects long before it sends audio may therefore receive other words than those of its audio.
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
  { host, port, tls, ...options }: PlayServerOptions = {},
): Promise<CassetteServer> {
  const standard = { ...PLAYBACK_DEFAULTS, clock: systemClock, token: createId(32) };
  const playback: PlaybackOptions = { ...standard, ...defined(options) };
  const { clock, token } = playback;
  const session = new PlaybackSession(cassette, playback);
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
