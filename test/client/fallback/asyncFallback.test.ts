import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import { asyncFallback } from '../../../src/client/fallback/asyncFallback.ts';
import { createNotificationReceiver } from '../../../src/client/jobs/notificationReceiver.ts';
import type { Hole } from '../../../src/client/stream/fallback.ts';
import { keptService } from '../../helpers/keptService.ts';
import {
  countedLevels,
  finalOf,
  holeOf,
  type RepairRun,
  type RepairRunOptions,
  repairedWords,
  repairRun,
} from '../../helpers/repairRun.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { request } from '../../helpers/testService.ts';

const recognizer = createScriptedRecognizer();
const service = keptService({
  recognizer,
  diarizer: createScriptedDiarizer(),
  allowPrivateAddresses: true,
  limits: { account: { requestsPerSecond: 1000, requestBurst: 1000 } },
});

/** Words of windows whose levels are counted from 1, with their times. */
const wordsOf = (from: number, to: number, startTs = 0) =>
  countedLevels(to - from, from + 1).map(level => [
    `w${level}`,
    expect.closeTo(startTs + (level - 1) / 10, 6),
  ]);

/** A run with a hole, which has been repaired. */
async function repaired(hole: Hole, options: Omit<RepairRunOptions, 'url'>): Promise<RepairRun> {
  const run = repairRun({ url: service().url, ...options });
  run.declare(hole);
  await run.repairs.done();
  return run;
}

/** The job of the first repair, as the service shows it. */
const jobOf = (run: RepairRun) =>
  request(service(), `/speechtotext/v1/jobs/${run.events[0]!.jobId}`).then(answer => answer.json());

describe('a hole', () => {
  test.each([
    ['at the start', 0, 30],
    ['in the middle', 40, 70],
    ['at the end', 90, 120],
    ['of all the audio', 0, 120],
  ])('%s gets its words, with their times, each once', async (_, from, to) => {
    const run = repairRun({ url: service().url, levels: countedLevels(120) });
    if (from > 0) run.observe(finalOf(countedLevels(from), 0));
    run.declare(holeOf(from, to));
    if (to < 120) run.observe(finalOf(countedLevels(120 - to, to + 1), to));
    await run.repairs.done();
    expect(run.events).toHaveLength(1);
    const { jobId } = run.events[0]!;
    expect(run.events[0]).toMatchObject({ type: 'repair', ts: from / 10, endTs: to / 10 });
    expect(repairedWords(run.events)).toEqual(wordsOf(from, to));
    const frames = { startFrame: from * 1600, endFrame: to * 1600 };
    expect(run.statuses).toEqual([
      { type: 'repairing', ...frames, jobId },
      { type: 'repaired', ...frames, jobId },
    ]);
  });

  test.each([
    [2, 40, 70, 7],
    [0, 40, 70, 3],
    [2, 0, 30, 5],
    [2, 100, 120, 4],
    // Shorter media is refused by services.
    [0, 40, 45, 2],
  ])(
    'with margins of %i s, from window %i to %i, is a job of %i s',
    async (marginSeconds, from, to, seconds) => {
      const run = await repaired(holeOf(from, to), {
        levels: countedLevels(120),
        fallback: { marginSeconds },
      });
      expect((await jobOf(run)).duration_seconds).toBe(seconds);
      expect(repairedWords(run.events)).toEqual(wordsOf(from, to));
    },
  );

  test('that begins within a word does not have the word again', async () => {
    const levels = countedLevels(120);
    // Margins with which the cut begins between words, so that the recogniser hears the same ones.
    const run = repairRun({ url: service().url, levels, fallback: { marginSeconds: 2.05 } });
    run.observe(finalOf(countedLevels(41), 0));
    run.declare(holeOf(40.5, 70.5));
    run.observe(finalOf(countedLevels(50, 71), 70));
    await run.repairs.done();
    expect(repairedWords(run.events)).toEqual(wordsOf(41, 70));
  });

  test('has the times of a stream that does not begin at 0', async () => {
    const run = await repaired(holeOf(20, 40, { startTs: 1000 }), {
      levels: countedLevels(60),
      query: { startTs: 1000 },
    });
    expect(run.events[0]).toMatchObject({ ts: 1002, endTs: 1004 });
    expect(repairedWords(run.events)).toEqual(wordsOf(20, 40, 1000));
  });

  test('keeps its times where the source has no audio', async () => {
    const run = await repaired(holeOf(10, 50), { levels: countedLevels(60), gap: [20, 30] });
    expect(repairedWords(run.events)).toEqual([...wordsOf(10, 20), ...wordsOf(30, 50)]);
  });

  test.each([
    ['before', 0, 600, [[60, 80]]],
    ['behind', 200, 800, [[0, 20]]],
    [
      'within',
      200,
      600,
      [
        [0, 20],
        [60, 80],
      ],
    ],
  ])('is repaired only where there is audio, with some missing %s it', async (_, from, to, spans) => {
    // As many words as there are.
    const levels = countedLevels(800).map(level => ((level - 1) % 500) + 1);
    const run = await repaired(holeOf(0, 800), { levels, gap: [from, to] });
    // The rest stays a hole: nobody knows that it was silent.
    expect(run.events.map(({ ts, endTs }) => [ts, endTs])).toEqual(spans);
    const heard = levels.map((level, at) => [`w${level}`, expect.closeTo(at / 10, 6)]);
    const words = spans.flatMap(([ts, endTs]) => heard.slice(ts! * 10, endTs! * 10));
    expect(repairedWords(run.events)).toEqual(words);
    expect(run.notes).toHaveLength(spans.length);
  });

  test('releases its audio, and no other', async () => {
    const run = repairRun({ url: service().url, levels: countedLevels(900) });
    run.store.keep({ startFrame: 899 * 1600, endFrame: 900 * 1600 });
    run.declare(holeOf(40, 70));
    run.store.release(900 * 1600);
    expect(run.store.read(20 * 1600, 1)).toBeDefined();
    await run.repairs.done();
    expect(run.store.read(0, 1)?.startFrame).toBeGreaterThanOrEqual(90 * 1600);
    expect(run.store.read(899 * 1600, 1)?.startFrame).toBe(899 * 1600);
  });

  test('that is longer than a job may be goes to several, and has each word once', async () => {
    const levels = countedLevels(200);
    const run = await repaired(holeOf(40, 160), { levels, fallback: { marginSeconds: 1, maxJobSeconds: 6 } });
    expect(run.events.map(({ ts, endTs }) => [ts, endTs])).toEqual([
      [4, 8],
      [8, 12],
      [12, 16],
    ]);
    expect(repairedWords(run.events)).toEqual(wordsOf(40, 160));
  });
});

test('speakers are those of the live transcript', async () => {
  // To the job, who speaks first is 0: the second voice. Who spoke long ago, it does not hear.
  const [first, second, third] = [countedLevels(30), countedLevels(30, 101), countedLevels(20, 201)];
  const early = countedLevels(20, 301);
  const levels = [...early, ...first, ...second, ...second, ...first, ...third, ...first];
  const run = repairRun({ url: service().url, levels, query: { enableSpeakerSwitch: true } });
  run.observe(finalOf(early, 0, 2), finalOf(first, 20, 0), finalOf(second, 50, 1));
  run.declare(holeOf(80, 160));
  run.observe(finalOf(first, 160, 0));
  await run.repairs.done();
  const said = run.events[0]!.monologues.map(({ speaker, elements }) => [speaker, elements[0]!.value]);
  expect(said).toEqual([
    [1, 'w101'],
    [0, 'w1'],
    [3, 'w201'],
  ]);
});

test('many holes are repaired, two at a time', async () => {
  const run = repairRun({ url: service().url, levels: countedLevels(500) });
  const starts = countedLevels(8).map(index => index * 50);
  for (const start of starts) run.declare(holeOf(start, start + 20));
  await run.repairs.done();
  const inOrder = run.events.toSorted((left, right) => left.ts - right.ts);
  expect(repairedWords(inOrder)).toEqual(starts.flatMap(start => wordsOf(start, start + 20)));
  let [atOnce, most] = [0, 0];
  for (const { type } of run.statuses) {
    if (type === 'repairing') atOnce++;
    if (type === 'repaired') atOnce--;
    most = Math.max(most, atOnce);
  }
  expect([atOnce, most]).toEqual([0, 2]);
});

test('a job is noted before it is awaited, and its text is emitted before the job is deleted', async () => {
  const run = await repaired(holeOf(10, 30), { levels: countedLevels(60), query: { deleteAfterSeconds: 0 } });
  expect(run.log).toEqual(['note job', 'repairing', 'emit', 'repaired']);
  const { jobId } = run.events[0]!;
  const hole = { startFrame: 16_000, endFrame: 48_000 };
  expect(run.notes).toEqual([{ type: 'job', hole, jobId, address: service().url }]);
  expect((await jobOf(run)).status).toBe(404);
});

describe('a job', () => {
  test('has the options of its stream', async () => {
    const query = {
      ...{ language: 'en', metadata: 'call 7', filterProfanity: true, removeDisfluencies: true },
      ...{ skipPostprocessing: true, deleteAfterSeconds: 3600 },
      customVocabularies: [{ phrases: ['Willoughby'] }],
      ...{ startTs: 5, detailedPartials: true, userAgent: 'test', maxSegmentDurationSeconds: 5 },
    };
    const run = await repaired(holeOf(10, 30), { levels: countedLevels(60), query });
    expect(await jobOf(run)).toMatchObject({
      type: 'async',
      language: 'en',
      metadata: 'call 7',
      filter_profanity: true,
      remove_disfluencies: true,
      skip_postprocessing: true,
      skip_diarization: true,
      delete_after_seconds: 3600,
    });
    expect(recognizer.opened.at(-1)).toMatchObject({ phrases: ['Willoughby'] });
  });

  test('reports its end to a receiver', async () => {
    await using receiver = await createNotificationReceiver();
    const reported: string[] = [];
    const run = repairRun({
      url: service().url,
      levels: countedLevels(60),
      fallback: {
        receiver: {
          url: receiver.url,
          ended: async (id, options) => {
            const job = await receiver.ended(id, options);
            reported.push(job.id);
            return job;
          },
        },
      },
    });
    run.declare(holeOf(10, 30));
    await run.repairs.done();
    expect(reported).toEqual([run.events[0]!.jobId]);
  });

  test('reports its progress', async () => {
    const seen = new Set<string>();
    const run = repairRun({
      url: service().url,
      levels: countedLevels(60),
      fallback: {
        onProgress: progress => {
          seen.add(progress.type);
          expect(progress).toMatchObject({ startFrame: 16_000, endFrame: 48_000 });
          if (progress.type === 'uploading') expect(progress.totalBytes).toBe(44 + 5 * 32_000);
        },
      },
    });
    run.declare(holeOf(10, 30));
    await run.repairs.done();
    expect([...seen]).toEqual(['uploading', 'transcribing']);
  });
});

test.each([
  { marginSeconds: -1 },
  { retryForSeconds: Number.NaN },
  { maxJobSeconds: 4 },
  { marginSeconds: 10, maxJobSeconds: 20 },
])('the options %o are refused', options => {
  expect(() => asyncFallback(options)).toThrow(InvalidArgumentError);
});
