import type { TranscribeOptions } from '../../src/client/stream/options.ts';
import type { StreamStatus } from '../../src/client/stream/status.ts';
import { createGate } from '../../src/flow/gate.ts';
import type { VirtualClock } from '../../src/replay/time/virtualClock.ts';
import type { LiveEvent } from '../../src/transcript/model/events.ts';
import { type FaultProxy, startFaultProxy } from './faultProxy.ts';
import type { RecoveryScenario } from './recoveryScenario.ts';
import { scenarioSource } from './scenarioSource.ts';
import { StreamRun } from './streamRun.ts';
import { TEST_TOKEN } from './testService.ts';

/** Virtual time of one turn of the event loop: what is on its way on the loopback address arrives in some turns. */
const STEP_MS = 2;

/** No scenario takes longer, unless it hangs. */
const MAX_VIRTUAL_MS = 900_000;

/** Outcome of a stream. */
export interface RecoveryRun {
  readonly events: readonly LiveEvent[];
  readonly statuses: readonly StreamStatus[];
  /** Undefined when it completed. */
  readonly error: unknown;
  /** Number of connections that were begun. */
  readonly connections: number;
}

export interface ServicePlace {
  readonly url: string;
  readonly port: number;
}

/** Streams the audio of a scenario to a service without any fault. */
export function uncutRun(
  service: ServicePlace,
  scenario: RecoveryScenario,
  clock: VirtualClock,
): Promise<RecoveryRun> {
  const { pauses: _, ...speech } = scenario;
  const source = { ...speech, pauses: [], waits: false, speed: Number.POSITIVE_INFINITY };
  const { maxSegmentDurationSeconds, startTs, skipPostprocessing } = scenario.options;
  const options = { url: service.url, skipPostprocessing, maxSegmentDurationSeconds, startTs };
  return run(source, options, clock);
}

/** Streams the audio of a scenario through its faults. */
export async function faultyRun(
  service: ServicePlace,
  scenario: RecoveryScenario,
  clock: VirtualClock,
): Promise<RecoveryRun> {
  const proxies: FaultProxy[] = [];
  try {
    for (const plan of scenario.plans) proxies.push(await startFaultProxy(service, plan, { clock }));
    const result = await run(scenario, { ...scenario.options, url: proxies.map(({ url }) => url) }, clock);
    return { ...result, connections: proxies.reduce((sum, { connections }) => sum + connections, 0) };
  } finally {
    for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
  }
}

async function run(
  scenario: RecoveryScenario,
  options: Omit<TranscribeOptions, 'token'>,
  clock: VirtualClock,
): Promise<RecoveryRun> {
  const gate = scenario.waits ? createGate() : undefined;
  const stream = new StreamRun(scenarioSource(scenario, clock, gate), {
    ...{ token: TEST_TOKEN, ...options, clock, gate },
  });
  let hasEnded = false;
  const end = stream.end.finally(() => {
    hasEnded = true;
  });
  const lastMs = clock.now() + MAX_VIRTUAL_MS;
  while (!hasEnded && clock.now() < lastMs) await clock.advanceAsync(STEP_MS);
  stream.subscription.unsubscribe();
  const error = hasEnded ? await end : new Error(`the stream did not end: ${stream.statusTypes.join(' ')}`);
  return { events: stream.events, statuses: stream.statuses, error, connections: 1 };
}
