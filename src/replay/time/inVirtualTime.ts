import { setTimeout } from 'node:timers/promises';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { VirtualClock } from './virtualClock.ts';

export interface VirtualTimeOptions {
  /** Limit in seconds of virtual time, after which the run fails. Default 86,400, a day. */
  readonly maxSeconds?: number;
  /** Ends the run; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** Defaults of {@link VirtualTimeOptions}. */
export const VIRTUAL_TIME_DEFAULTS = { maxSeconds: 86_400 } as const;

/**
 * Milliseconds of real time between two looks at a run that waits for something other than a timer, such as a process.
 */
const IDLE_MS = 1;

/** Milliseconds of real time in which an abandoned run may release its resources. */
const RELEASE_MS = 1000;

/**
 * Runs a function on a virtual clock, which advances to the next timer whenever everything else is quiet. An hour
 * passes in seconds, and each delay has exactly its length on any machine.
 *
 * Everything has to happen in one process. The clock waits for the servers of `playServer` and the sources of
 * `playSource` that were given it: what they and their clients send over real sockets has been read and answered before
 * time advances. Anything else that takes real time, such as fetching a token over the network, has to hold the clock
 * meanwhile; otherwise the virtual time runs on and the client times out.
 *
 * The run receives a signal that is aborted when the run is abandoned; it has to listen to it, so that its resources
 * are closed.
 *
 * @throws RxscribeError `timeout` when the run takes longer than `maxSeconds`; what the run throws; the signal's reason
 * @example
 * const run = await inVirtualTime(async (clock, signal) => {
 *   await using server = await playServer(cassette, { clock, latency: 'recorded' });
 *   const { url, token } = server;
 *   const source$ = playSource(cassette, { speed: 1, clock });
 *   return await observeSession(source$, transcribe({ url, token, clock }), { clock, signal });
 * });
 * console.log(run.durationMs);
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
  const { maxSeconds = VIRTUAL_TIME_DEFAULTS.maxSeconds, signal } = options;
  if (!(maxSeconds > 0))
    throw new InvalidArgumentError(`Option 'maxSeconds' must be above 0, not ${maxSeconds}.`);
  signal?.throwIfAborted();
  const clock = new VirtualClock();
  const abandoned = new AbortController();
  const result = (async () => run(clock, abandoned.signal))();
  try {
    await drive(clock, result, maxSeconds, signal);
  } catch (error) {
    abandoned.abort(error);
    await Promise.race([Promise.allSettled([result]), setTimeout(RELEASE_MS)]);
    throw error;
  }
  return result;
}

/** Advances the clock until the run has a result or an error. */
async function drive(
  clock: VirtualClock,
  result: Promise<unknown>,
  maxSeconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let isOver = false;
  void Promise.allSettled([result]).then(() => {
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

function tooLong(maxSeconds: number): RxscribeError {
  return new RxscribeError('timeout', `The run did not end within ${maxSeconds} s of virtual time.`);
}
