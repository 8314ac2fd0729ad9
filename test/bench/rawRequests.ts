import { openListeners } from '../helpers/openListeners.ts';
import { sendRawRequests } from '../helpers/rawRequests.ts';

const { RXSCRIBE_BENCH_MINUTES, RXSCRIBE_BENCH_REQUESTS = '20000', RXSCRIBE_BENCH_SEED = '1' } = process.env;
/** Requests after which the listener has to answer a proper one. */
const ROUND = 1000;

/**
 * Sends malformed, cut and pipelined requests to each listener of `serve`, `caption --page`, `play` and `proxy`, and
 * to the service behind haproxy. After each thousand, the process must answer a proper one.
 * Environment: `RXSCRIBE_BENCH_REQUESTS` for each listener, or `RXSCRIBE_BENCH_MINUTES` in all; `RXSCRIBE_BENCH_SEED`.
 *
 * @throws Error with the output of a process that has ended, or that does not answer
 */
export async function run(): Promise<void> {
  const endMs = RXSCRIBE_BENCH_MINUTES ? performance.now() + Number(RXSCRIBE_BENCH_MINUTES) * 60_000 : 0;
  await using listeners = await openListeners({ balancer: true });
  const sent = new Map<string, number>();
  let seed = Number(RXSCRIBE_BENCH_SEED);
  const isDone = (count: number) =>
    endMs > 0 ? performance.now() >= endMs : count >= Number(RXSCRIBE_BENCH_REQUESTS);
  for (let round = 1; !isDone((round - 1) * ROUND); round++) {
    for (const { name, address, check } of listeners.all) {
      await sendRawRequests(address, { count: ROUND, seed: seed++ });
      await check();
      sent.set(name, round * ROUND);
    }
    console.log(`${round * ROUND} requests to each of ${listeners.all.length} listeners`);
  }
  console.table([...sent].map(([name, requests]) => ({ listener: name, requests, ended: 0 })));
}
