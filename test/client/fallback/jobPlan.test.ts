import { expect, test } from 'vitest';
import { jobPlan } from '../../../src/client/fallback/jobPlan.ts';
import { STREAM_OPTIONS } from '../../../src/protocol/streamQuery.ts';

/** Options of a stream that change nothing in the text of its jobs. */
const OF_STREAMS_ONLY = [
  'userAgent',
  'detailedPartials',
  'startTs',
  'maxSegmentDurationSeconds',
  'maxConnectionWaitSeconds',
];

test('every option of a stream is an option of its jobs, unless it is meant for streams only', () => {
  const plan = JSON.stringify(jobPlan({}).options);
  const asked = Object.keys(STREAM_OPTIONS).filter(
    // Any value will do: a plan passes values on, and a truthy one changes each of them.
    name => JSON.stringify(jobPlan({ [name]: 1 }).options) !== plan,
  );
  // The remedy for another one: give it to the job in jobPlan(), or add it to OF_STREAMS_ONLY.
  expect([...asked, ...OF_STREAMS_ONLY].toSorted()).toEqual(Object.keys(STREAM_OPTIONS).toSorted());
});

test.each([
  [undefined, undefined, false],
  [0, 300, true],
  [299, 300, true],
  [300, 300, false],
  [2_592_000, 2_592_000, false],
])('of a stream that is deleted after %s s, the job stays for %s s', (asked, given, isDeleted) => {
  const plan = jobPlan({ ...(asked !== undefined && { deleteAfterSeconds: asked }) });
  expect(plan.options.deleteAfterSeconds).toBe(given);
  expect(plan.isDeleted).toBe(isDeleted);
});

test.each([
  [undefined, 604_800, false],
  [0, 604_800, true],
  [2_592_000, 2_592_000, false],
])(
  'for a person, of a stream that is deleted after %s s, the job stays for %s s',
  (asked, given, isDeleted) => {
    const plan = jobPlan({ ...(asked !== undefined && { deleteAfterSeconds: asked }) }, 'human');
    expect(plan).toMatchObject({ options: { transcriber: 'human', deleteAfterSeconds: given }, isDeleted });
  },
);

test('a person gets as many phrases as a human job may have', () => {
  const phrases = Array.from({ length: 15 }, (_, index) => `phrase ${index}`);
  const query = { customVocabularies: [{ phrases }, { phrases }] };
  const given = jobPlan(query, 'human').options.customVocabularies;
  expect(given).toEqual([{ phrases: [...phrases, ...phrases].slice(0, 20) }]);
  expect(jobPlan(query).options.customVocabularies).toEqual(query.customVocabularies);
  expect(jobPlan({}, 'human').options.customVocabularies).toBeUndefined();
});
