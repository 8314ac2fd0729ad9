import { setTimeout } from 'node:timers/promises';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { VirtualClock } from './virtualClock.ts';

export interface VirtualTimeOptions {
  /** More seconds of virtual time than any run should need: beyond, it fails. Default 86,400, a day. */
  readonly maxSeconds?: number;
  /** Ends the run: its reason is thrown. */
  readonly signal?: AbortSignal;
}

const DEFAULT_MAX_SECONDS = 86_400;

/** Without a timer, something else is waited for: a file, a process. How often that is looked for, in real time. */
const IDLE_MS = 1;

/** How long a run that is given up may take to let go of what it has, in real time. */
const LEAVE_MS = 1000;

/**
 * Runs something on a clock that takes no time: it goes on to the next timer whenever all else is still. So an hour
 * passes in seconds, and each delay is exactly as long as it was asked for, on any machine.
 *
 * Still are the servers of `playServer` and the sources of `playSource` that were given the clock: what they and their
 * clients send over real sockets has been read and answered. What else takes real time, such as a token that is asked for
 * over the network, has to hold the clock meanwhile: else time runs away from it, and the client gives up ("wanted a
 * connection within 10 s"). All is in one process.
 *
 * The run gets a signal that is aborted when it is given up; it has to listen to it, so that what it has opened is closed.
 *
 * @throws RxscribeError `timeout` when the run takes longer than `maxSeconds`; what the run throws; the signal's reason
 * @example
 * const run = await inVirtualTime(async (clock, signal) => {
 *   await using server = await playServer(cassette, { clock, latency: 'recorded' });
 *   const { url, token } = server;
 *   const source$ = playSource(cassette, { speed: 1, clock });
 *   return await observeSession(source$, transcribe({ url, token, clock }), { clock, signal });
 * });
 * expect(run.durationMs).toBeGreaterThan(3_600_000);
 * @example
 * // Time stands still while a token is fetched.
 * const token = async () => {
 *   const release = clock.hold();
 *   return await fetchToken().finally(release);
 * };
 */
export async function inVirtualTime<T>(
  run: (clock: VirtualClock, signal: AbortSignal) => T | Promise<T>,
  options: VirtualTimeOptions = {},
): Promise<T> {
  const { maxSeconds = DEFAULT_MAX_SECONDS, signal } = options;
  if (!(maxSeconds > 0))
    throw new InvalidArgumentError(`maxSeconds: wanted more than 0, found ${maxSeconds}`);
  signal?.throwIfAborted();
  const clock = new VirtualClock();
  const givenUp = new AbortController();
  const result = (async () => run(clock, givenUp.signal))();
  try {
    await drive(clock, result, maxSeconds, signal);
  } catch (error) {
    givenUp.abort(error);
    await Promise.race([settled(result), setTimeout(LEAVE_MS)]);
    throw error;
  }
  return result;
}

/** Moves time on until there is a result, or an error. */
async function drive(
  clock: VirtualClock,
  result: Promise<unknown>,
  maxSeconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let isOver = false;
  void settled(result).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await clock.settle(signal);
    if (isOver) return;
    if (clock.pending === 0) await setTimeout(IDLE_MS);
    else if (clock.nextMs > maxSeconds * 1000) throw tooLong(maxSeconds);
    else clock.advanceToNext();
  }
}

/** Whoever waits for the result hears of its error; nobody else does. */
function settled(result: Promise<unknown>): Promise<void> {
  return result.then(
    () => {},
    () => {},
  );
}

function tooLong(maxSeconds: number): RxscribeError {
  return new RxscribeError('timeout', `virtual time: wanted an end within ${maxSeconds} s, found none`);
}
