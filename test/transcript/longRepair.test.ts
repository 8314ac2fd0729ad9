import { describe, expect, it } from 'vitest';
import { emptyLiveTranscript, mergeEvent } from '../../src/transcript/merge/merge.ts';
import type { FinalEvent, LiveEvent } from '../../src/transcript/model/events.ts';
import { spliceRepair } from '../../src/transcript/repair/spliceRepair.ts';
import { final, hole, repair } from '../helpers/transcriptEvents.ts';

/** The words of two speakers who take turns. */
const talk = (fromTs: number, untilTs: number): readonly FinalEvent[] =>
  Array.from({ length: Math.floor((untilTs - fromTs) / 6) }, (_, index) => {
    const ts = fromTs + index * 6;
    return final('one two three four five six seven, eight nine ten.', ts, ts + 5, index % 2);
  });
const monologuesOf = (finals: readonly FinalEvent[]) =>
  finals.map(({ speaker = 0, elements }) => ({ speaker, elements }));

/** The shortest of several runs, in milliseconds. */
function durationOf(run: () => unknown): number {
  const durations = Array.from({ length: 3 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...durations);
}

describe('the repair of the first hour of three', () => {
  const gap = hole(0, 3600);
  const [first, rest] = [talk(0, 3600), talk(3600, 3 * 3600)];
  const mergeAll = (events: readonly LiveEvent[]) => events.reduce(mergeEvent, emptyLiveTranscript);

  it('is merged at once: in not much more time than it takes to hear all in order', () => {
    const live = mergeAll([gap, ...rest]);
    const mended = repair(gap, ...first);
    const inOrder = durationOf(() => mergeAll([...first, ...rest]));
    expect(mergeEvent(live, mended).transcript.monologues).toEqual(
      mergeAll([...first, ...rest]).transcript.monologues,
    );
    expect(durationOf(() => mergeEvent(live, mended)) / inOrder).toBeLessThan(8);
  });

  it('is spliced beside another hour in not much more time than alone', () => {
    const beside = [repair(gap, ...first)];
    const job = { monologues: monologuesOf(talk(2, 3602)) };
    const place = { audioTs: 3598, ts: 3600, endTs: 7200 };
    const alone = durationOf(() => spliceRepair(job, { ...place, beside: [] }));
    expect(durationOf(() => spliceRepair(job, { ...place, beside })) / alone).toBeLessThan(12);
  });
});
