import { expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { decideOnFailure, RETRY_WINDOW_MS } from '../../../src/service/jobs/runner.ts';
import { JobFailedError } from '../../../src/service/jobs/task.ts';

const NOW = { isAborted: false, tries: 1, ageMs: 0 };
const BUSY = new RxscribeError('unavailable', 'all are in use');

test('any error of a task while the service stops runs it again at once', () => {
  for (const error of [BUSY, new JobFailedError('invalid_media', 'x'), new Error('x'), undefined]) {
    expect(decideOnFailure(error, { ...NOW, isAborted: true })).toEqual({ type: 'again', inSeconds: 0 });
  }
});

test('a temporary error is retried after growing delays up to a minute', () => {
  const waits = [1, 2, 3, 6, 7, 50].map(tries => decideOnFailure(BUSY, { ...NOW, tries }));
  expect(waits).toEqual([1, 2, 4, 32, 60, 60].map(inSeconds => ({ type: 'again', inSeconds })));
  const full = new Error('write', { cause: Object.assign(new Error('no space'), { code: 'ENOSPC' }) });
  for (const away of [new RxscribeError('store', 'away'), full]) {
    expect(decideOnFailure(away, NOW)).toEqual({ type: 'again', inSeconds: 1 });
  }
});

test('a temporary error that lasts a day fails the job', () => {
  const decision = decideOnFailure(BUSY, { ...NOW, tries: 999, ageMs: RETRY_WINDOW_MS });
  expect(decision).toMatchObject({
    type: 'fail',
    outcome: { failure: 'internal_processing' },
    isFault: true,
  });
  expect(JSON.stringify(decision)).not.toContain('in use');
});
