import { expect, test } from 'vitest';
import { jobPlan } from '../../../src/client/fallback/jobPlan.ts';

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
