import { setTimeout } from 'node:timers/promises';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { VirtualClock } from './virtualClock.ts';

export interface VirtualTimeOptions {
  /** More seconds of virtual time than any run should need: beyond, it fails. Default 86,400, a day. */
  readonly maxSeconds?: number;
  /** Ends the wait: its reason is thrown. The run itself has to listen to it as well. */
  readonly signal?: AbortSignal;
}

/** Defaults of {@link VirtualTimeOptions}. */
export const VIRTUAL_TIME_DEFAULTS = { maxSeconds: 86_400 } as const;

/** Without a timer, something else is waited for: a file, a process. How often that is looked for, in real time. */
const IDLE_MS = 1;

/**
 * Runs something on a clock that takes no time: it goes on to the next timer whenever all else is still. So an hour
 * passes in seconds, and each delay is exactly as long as it was asked for, on any machine.
 *
 * Still are the servers of `playServer` and the sources of `playSource` that were given the clock: what they and their
 * clients send over real sockets has been read and answered. What else takes real time, such as a request to another
 * server, has to hold the clock meanwhile (`clock.hold()`). All is in one process.
 *
 * @throws RxscribeError `timeout` when the run takes longer than `maxSeconds`; what the run throws; the signal's reason
 * @example
 * const run = await inVirtualTime(async clock => {
 *   await using server = await playServer(cassette, { clock, latency: 'recorded' });
 *   const { url, token } = server;
 *   return await observeSession(playSource(cassette, { speed: 1, clock }), transcribe({ url, token, clock }), { clock });
 * });
 * expect(run.durationMs).toBeGreaterThan(3_600_000);
 */
export async function inVirtualTime<T>(
  run: (clock: VirtualClock) => T | Promise<T>,
  options: VirtualTimeOptions = {},
): Promise<T> {
  const { maxSeconds = VIRTUAL_TIME_DEFAULTS.maxSeconds, signal } = options;
  if (!(maxSeconds > 0))
    throw new InvalidArgumentError(`maxSeconds: wanted more than 0, found ${maxSeconds}`);
  signal?.throwIfAborted();
  const clock = new VirtualClock();
  let isOver = false;
  const result = (async () => run(clock))();
  // Whoever waits for the result hears of its error; nobody else does.
  const over = () => {
    isOver = true;
  };
  result.then(over, over);
  while (!isOver) {
    await clock.settle(signal);
    if (isOver) break;
    if (clock.pending === 0) await setTimeout(IDLE_MS);
    else if (clock.nextMs > maxSeconds * 1000) throw tooLong(maxSeconds);
    else clock.advanceToNext();
  }
  return result;
}

function tooLong(maxSeconds: number): RxscribeError {
  return new RxscribeError('timeout', `virtual time: wanted an end within ${maxSeconds} s, found none`);
}
