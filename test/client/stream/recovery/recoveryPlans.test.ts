import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { rangeWithout } from '../../../../src/audio/format/frameRange.ts';
import { seeded } from '../../../../src/base/seeded.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { emptyLiveTranscript, mergeEvent } from '../../../../src/transcript/merge/merge.ts';
import type { CoverageSpan } from '../../../../src/transcript/model/coverage.ts';
import type { TextElement } from '../../../../src/transcript/model/model.ts';
import { finalWords } from '../../../helpers/finalWords.ts';
import { faultyRun, type RecoveryRun, uncutRun } from '../../../helpers/recoveryRun.ts';
import { type RecoveryScenario, recoveryScenario } from '../../../helpers/recoveryScenario.ts';
import { startTestService } from '../../../helpers/testService.ts';

/** Number and seed of the plans: `RXSCRIBE_SEED=… RXSCRIBE_PLANS=… vitest run …` runs the same again, and shrinks. */
const PLANS = Number(process.env.RXSCRIBE_PLANS ?? 500);
const SEED = process.env.RXSCRIBE_SEED;

test('in 20 random plans of broken connections every word comes once, where it comes without them', () =>
  checkPlans(20));

test(
  'and in hundreds of them',
  // Some 30 ms each on a quiet machine.
  { tags: 'slow', timeout: 120_000 + PLANS * 2000 },
  () => checkPlans(PLANS),
);

async function checkPlans(plans: number): Promise<void> {
  const clock = new VirtualClock();
  const service = await startTestService({
    clock,
    // Connections that nobody closes count until the service finds out.
    limits: { account: { streams: 10_000 } },
  });
  const total = { plans: 0, words: 0, connections: 0, broken: 0 };
  const property = fc.asyncProperty(recoveryScenario, async scenario => {
    const uncut = await uncutRun(service, scenario, clock);
    const cut = await withRandom(scenario.seed, () => faultyRun(service, scenario, clock));
    expectSame(cut, uncut, scenario);
    total.plans++;
    total.words += finalWords(cut.events).length;
    total.connections += cut.connections;
    if (cut.connections > 1) total.broken++;
  });
  await fc.assert(property, {
    numRuns: plans,
    ...(SEED !== undefined && { seed: Number(SEED) }),
    // Shrinking takes longer than all plans: only on request.
    endOnFailure: SEED === undefined,
  });
  console.log(
    `${total.plans} plans, ${total.broken} with a break: ` +
      `${total.words} words over ${total.connections} connections, 0 lost, 0 doubled`,
  );
  // Else nothing was tested.
  expect(total.broken).toBeGreaterThanOrEqual(Math.floor(plans / 2));
}

/** Random numbers of the client; the same again with the same seed. */
async function withRandom<T>(seed: number, work: () => Promise<T>): Promise<T> {
  const spy = vi.spyOn(Math, 'random').mockImplementation(seeded(seed));
  try {
    return await work();
  } finally {
    spy.mockRestore();
  }
}

function expectSame(cut: RecoveryRun, uncut: RecoveryRun, scenario: RecoveryScenario): void {
  const { sampleRate, pauses, mutes } = scenario;
  expect(uncut.error).toBeUndefined();
  expect(cut.error).toBeUndefined();
  const [found, wanted] = [finalWords(cut.events), finalWords(uncut.events)];
  expect(found.map(placed)).toEqual(wanted.map(placed));
  expectWhole(cut, scenario);
  // A resampler that begins anew, or is given silence while there is no audio, takes what was before for silence: at both ends of it
  // 100 ms that the recogniser gets differ, by less than its words show, but its confidences do.
  const changed = found.filter((word, index) => word.confidence !== wanted[index]!.confidence);
  const seams = cut.connections - 1 + 2 * (pauses.length + mutes.length);
  expect(changed.length).toBeLessThanOrEqual(sampleRate === 16_000 ? 0 : seams);
}

/** Checks that text and silence cover the audio in order; where the source gave none, a hole may stand. */
function expectWhole({ events }: RecoveryRun, scenario: RecoveryScenario): void {
  const { startTs = 0 } = scenario.options;
  const { transcript } = events.reduce(mergeEvent, emptyLiveTranscript);
  const { coverage = [] } = transcript;
  const gaps = scenario.muteClock === 'run' ? scenario.mutes : [];
  const isGap = ({ ts, endTs, cause }: CoverageSpan) =>
    cause === 'gap' &&
    rangeWithout(
      { startFrame: hundredths(ts - startTs), endFrame: hundredths(endTs - startTs) },
      gaps.map(({ fromLevel, toLevel }) => ({ startFrame: 10 * fromLevel, endFrame: 10 * toLevel })),
    ).length === 0;
  expect(coverage.filter(span => span.kind === 'hole' && !isGap(span))).toEqual([]);
  const edges = coverage.flatMap(({ ts, endTs }) => [ts, endTs].map(hundredths));
  const inner = edges.slice(1, -1);
  expect(inner.filter((_, index) => index % 2 === 0)).toEqual(inner.filter((_, index) => index % 2 === 1));
  expect(edges[0]).toBe(hundredths(startTs));
  expect(edges.at(-1)).toBe(hundredths(startTs + positionsOf(scenario) / 10));
}

/** Number of levels by which the source encodes its positions. */
function positionsOf({ levels, mutes, muteClock }: RecoveryScenario): number {
  if (muteClock === 'run') return levels.length;
  return mutes.reduce((count, { fromLevel, toLevel }) => count - (toLevel - fromLevel), levels.length);
}

/** A word and its place in hundredths of a second. */
function placed({ value, ts, endTs }: TextElement): string {
  return `${value} ${hundredths(ts!)}-${hundredths(endTs!)}`;
}

const hundredths = (seconds: number) => Math.round(seconds * 100);
