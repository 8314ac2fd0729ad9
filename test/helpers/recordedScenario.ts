import fc from 'fast-check';
import { BehaviorSubject, lastValueFrom, toArray } from 'rxjs';
import type { QueryChange, TranscribeOptions } from '../../src/client/stream/options.ts';
import { createGate } from '../../src/flow/gate.ts';
import { record } from '../../src/replay/cassette/record/record.ts';
import type { VirtualClock } from '../../src/replay/time/virtualClock.ts';
import { advanceUntil } from './advanceUntil.ts';
import { type FaultProxy, startFaultProxy } from './faultProxy.ts';
import type { ServicePlace } from './recoveryRun.ts';
import { type RecoveryScenario, recoveryScenario } from './recoveryScenario.ts';
import { scenarioSource } from './scenarioSource.ts';
import { TEST_TOKEN } from './testService.ts';

/** A session to record: a scenario with faults, and what the client changes by itself. */
export interface RecordedScenario extends RecoveryScenario {
  /** True with a second service, which takes over. */
  readonly standby?: boolean;
  /** Times of changes of the language, in milliseconds. */
  readonly changesMs: readonly number[];
  /** Times between which the recogniser of the first service stands still, in milliseconds. */
  readonly stuckMs?: readonly [number, number];
}

export const recordedScenario: fc.Arbitrary<RecordedScenario> = fc
  .tuple(
    recoveryScenario,
    fc.record(
      {
        standby: fc.boolean(),
        stuckMs: fc
          .tuple(fc.integer({ min: 300, max: 8000 }), fc.integer({ min: 1000, max: 12_000 }))
          .map(([fromMs, ms]): [number, number] => [fromMs, fromMs + ms]),
      },
      { requiredKeys: [] },
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 2 }) },
    ),
  )
  .map(([scenario, own, changesMs]) => ({
    ...scenario,
    ...own,
    changesMs: changesMs.toSorted((a, b) => a - b),
  }));

/** No session takes longer, unless it hangs. */
const MAX_VIRTUAL_MS = 900_000;

/** Virtual time of one turn of the event loop. */
const STEP_MS = 2;

/** Records the session of a scenario. Rejects with the error that ended it. */
export async function recordScenario(
  scenario: RecordedScenario,
  { path, clock, services }: { path: string; clock: VirtualClock; services: readonly ServicePlace[] },
): Promise<void> {
  const { speed, plans, standby, changesMs } = scenario;
  const [first, second] = services;
  const proxies: FaultProxy[] = [];
  try {
    for (const plan of plans) proxies.push(await startFaultProxy(first!, plan, { clock }));
    const [, ...others] = proxies.map(({ url }) => url);
    const query$ = new BehaviorSubject<QueryChange>({ language: 'en' });
    for (const [index, ms] of changesMs.entries())
      clock.schedule(ms, () => query$.next({ language: index % 2 === 0 ? 'de' : 'en' }));
    const gate = scenario.waits ? createGate() : undefined;
    const options: Partial<TranscribeOptions> = {
      ...scenario.options,
      url: [proxies[0]!.url, ...(standby ? [] : others)],
      ...(changesMs.length > 0 && { query$ }),
      ...(standby && { standby: { url: others[0] ?? second!.url, token: TEST_TOKEN } }),
    };
    const live = record({
      ...(options as TranscribeOptions),
      ...{ token: TEST_TOKEN, clock, gate },
      cassette: { path, speed: speed === Number.POSITIVE_INFINITY ? 'max' : speed },
    });
    const events$ = scenarioSource(scenario, clock, gate).pipe(live, toArray());
    await advanceUntil(clock, STEP_MS, Promise.race([lastValueFrom(events$), hung(clock)]));
  } finally {
    for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
  }
}

/** Rejects after the time that no session takes. */
function hung(clock: VirtualClock): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  clock.schedule(MAX_VIRTUAL_MS, () => reject(new Error('the session did not end')));
  return promise;
}
