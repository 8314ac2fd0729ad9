import { describe, expect, test } from 'vitest';
import { keptService } from '../../helpers/keptService.ts';
import { countedLevels, finalOf, holeOf, repairedWords, repairRun } from '../../helpers/repairRun.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';

const service = keptService({
  diarizer: createScriptedDiarizer(),
  limits: { account: { requestsPerSecond: 1000, requestBurst: 1000 } },
});

/** Words of windows, with their times. */
const wordsOf = (from: number, to: number, startTs = 0) =>
  countedLevels(to - from, from + 1).map(level => [
    `w${level}`,
    expect.closeTo(startTs + (level - 1) / 10, 6),
  ]);

describe('a hole', () => {
  test.each([
    ['at the start', 0, 30],
    ['in the middle', 40, 70],
    ['at the end', 90, 120],
    ['that is all there is', 0, 120],
  ])('%s gets its words, with their times, each once', async (_, from, to) => {
    const run = repairRun({ url: service().url, levels: countedLevels(120) });
    if (from > 0) run.observe(finalOf(countedLevels(from), 0));
    run.declare(holeOf(from, to));
    if (to < 120) run.observe(finalOf(countedLevels(120 - to, to + 1), to));
    await run.repairs.done();
    expect(run.events).toHaveLength(1);
    expect(run.events[0]).toMatchObject({
      type: 'repair',
      ts: from / 10,
      endTs: to / 10,
      jobId: expect.any(String),
    });
    expect(repairedWords(run.events)).toEqual(wordsOf(from, to));
  });
});
