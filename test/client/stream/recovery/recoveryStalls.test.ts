import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { LIMIT_DEFAULTS } from '../../../../src/service/limits.ts';
import type { PlannedFault } from '../../../helpers/faultPlan.ts';
import { expectAllWords, SIX_UTTERANCES } from '../../../helpers/recoveryCase.ts';
import { faultyRun } from '../../../helpers/recoveryRun.ts';
import type { RecoveryScenario } from '../../../helpers/recoveryScenario.ts';
import { startTestService } from '../../../helpers/testService.ts';

const PLACES = 50;
/** Bytes of one word. */
const WORD_BYTES = 3200;
/** Longer than each timeout of the service, and longer than those of the client as well. */
const STALLS_MS = [LIMIT_DEFAULTS.stream.idleMs + 500, 75_000];

/** Stalls whose places go through all parts of a word, and through the whole speech. */
function stallsAt(place: number): readonly PlannedFault[] {
  const bytesUp = 1000 + place * Math.round((SIX_UTTERANCES.levels.length / PLACES) * WORD_BYTES + 130);
  const bytesDown = 200 + place * 120;
  return STALLS_MS.flatMap((ms): PlannedFault[] => [
    { kind: 'stallUp', ms, after: { bytesUp } },
    { kind: 'stallDown', ms, after: { bytesDown } },
  ]);
}

async function expectNoChange(places: readonly number[]): Promise<void> {
  const clock = new VirtualClock();
  const service = await startTestService({ clock, limits: { account: { streams: 10_000 } } });
  // As long as those of the service, so that either may be the first to give up, and the defaults.
  const long = { pongTimeoutMs: 60_000, stallTimeoutMs: 60_000, finalTimeoutMs: 60_000 };
  for (const fault of places.flatMap(stallsAt)) {
    for (const timeouts of [{}, long]) {
      const scenario: RecoveryScenario = {
        ...SIX_UTTERANCES,
        plans: [[[fault]]],
        options: { resume: { baseDelayMs: 1, maxDelayMs: 1 }, skipPostprocessing: true, ...timeouts },
      };
      const run = await faultyRun(service, scenario, clock);
      expectAllWords(run, scenario);
      if (fault.kind === 'stallUp' && fault.after!.bytesUp! < 50 * WORD_BYTES)
        expect(run.connections, JSON.stringify(fault)).toBeGreaterThan(1);
    }
  }
}

test('a stall that is longer than the timeouts changes no word', () => expectNoChange([17]));

test('a stall at any of 50 places changes no word', { tags: 'slow', timeout: 600_000 }, () =>
  expectNoChange(Array.from({ length: PLACES }, (_, place) => place)),
);

test('partials after an idle close within a word have no word that is final already', async () => {
  const clock = new VirtualClock();
  const service = await startTestService({ clock });
  const long = { pongTimeoutMs: 60_000, stallTimeoutMs: 60_000 };
  const scenario: RecoveryScenario = {
    ...SIX_UTTERANCES,
    // Within the third word; only the service gives up.
    plans: [[[{ kind: 'stallUp', ms: STALLS_MS[0]!, after: { bytesUp: 2.6 * WORD_BYTES } }]]],
    options: { resume: { baseDelayMs: 1, maxDelayMs: 1 }, skipPostprocessing: true, ...long },
  };
  const run = await faultyRun(service, scenario, clock);
  expectAllWords(run, scenario);
  expect(run.connections).toBe(2);
  const again = run.events.findLastIndex(({ type }) => type === 'connected');
  expect(run.events[again - 1]).toMatchObject({ type: 'final', endTs: 0.2 });
  const shown = run.events.slice(again).filter(event => event.type === 'partial');
  const [first] = shown.filter(({ elements }) => elements.length > 0);
  const elements = [{ type: 'text', value: 'w13' }];
  expect(first).toEqual({ type: 'partial', ts: 0.2, endTs: 0.3, elements, text: 'w13' });
});
