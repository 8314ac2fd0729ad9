import { expect, test } from 'vitest';
import { type AlignPart, createTimeWords } from '../../../src/service/desk/timeWords.ts';
import type { JobRecord } from '../../../src/service/store/jobRecord.ts';

/** A job of six minutes, in which the first word of each minute has a time. */
const job = { durationSeconds: 360 } as JobRecord;
const transcript = {
  monologues: Array.from({ length: 6 }, (_, minute) => ({
    speaker: 0,
    elements: [
      { type: 'text' as const, value: 'known', ts: 60 * minute, endTs: 60 * minute + 1 },
      { type: 'text' as const, value: `new${minute}` },
    ],
  })),
};

test('runs of words without times are aligned two at a time, with the share that is done', async () => {
  let running = 0;
  let most = 0;
  const progress: number[] = [];
  const alignPart: AlignPart = async (_, { words, ts, endTs }) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return words.map(() => ({ ts, endTs }));
  };
  const { monologues } = await createTimeWords(alignPart)(transcript, job, done => progress.push(done));
  expect(most).toBe(2);
  expect(progress.map(done => Math.round(6 * done))).toEqual([1, 2, 3, 4, 5, 6]);
  const times = monologues.map(({ elements }) => elements[1]);
  expect(times).toMatchObject(
    [0, 1, 2, 3, 4, 5].map(minute => ({ value: `new${minute}`, ts: 60 * minute + 1 })),
  );
});

test('little audio is aligned by one process, and no further run is begun after an error', async () => {
  const short = { monologues: transcript.monologues.slice(0, 2) };
  const begun: string[] = [];
  const failing: AlignPart = async (_, { words }) => {
    begun.push(...words);
    await new Promise(setImmediate);
    throw new Error('the job has ended');
  };
  const timeWords = createTimeWords(failing);
  await expect(timeWords(short, { ...job, durationSeconds: 110 }, () => {})).rejects.toThrow('has ended');
  expect(begun).toEqual(['new0']);
  await expect(timeWords(transcript, job, () => {})).rejects.toThrow('has ended');
  expect(begun).toEqual(['new0', 'new0', 'new1']);
});

test('a long text without any times is aligned part by part, each from the last certain word of the one before', async () => {
  const count = 900;
  const job = { durationSeconds: 450 } as JobRecord;
  const elements = Array.from({ length: count }, (_, index) => ({
    type: 'text' as const,
    value: `w${index}`,
  }));
  /** Half a second for each word in the first 300 s, then nothing for a minute. */
  const startOf = (word: number) => (word < 600 ? word / 2 : 360 + (word - 600) / 4);
  const alignPart: AlignPart = async (_, { words, ts, endTs }) => {
    expect(endTs - ts).toBeLessThanOrEqual(180);
    return words.map(value => {
      const start = startOf(Number(value.slice(1)));
      return start >= ts && start + 0.2 <= endTs ? { ts: start, endTs: start + 0.2 } : undefined;
    });
  };
  const progress: number[] = [];
  const transcript = { monologues: [{ speaker: 0, elements }] };
  const timed = await createTimeWords(alignPart)(transcript, job, done => progress.push(done));
  const times = timed.monologues[0]!.elements.map(element => element.type === 'text' && element.ts);
  expect(times).toEqual(elements.map((_, index) => startOf(index)));
  expect(progress.at(-1)).toBe(1);
  expect(progress).toEqual(progress.toSorted((one, other) => one - other));
});

test('words that are not found do not stop those after them', async () => {
  const elements = Array.from({ length: 700 }, (_, index) => ({ type: 'text' as const, value: `w${index}` }));
  const transcript = { monologues: [{ speaker: 0, elements }] };
  let calls = 0;
  const alignPart: AlignPart = async (_, { words }) => {
    calls++;
    return words.map(() => undefined);
  };
  expect(await createTimeWords(alignPart)(transcript, job, () => {})).toEqual(transcript);
  expect(calls).toBeLessThan(10);
});
