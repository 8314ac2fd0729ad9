import { expect, test } from 'vitest';
import { gateOf, streamChecks, thresholdChecks } from '../../../../src/replay/suite/run/gate.ts';
import { file, measures } from '../reports.ts';

const summary = (checks: ReturnType<typeof thresholdChecks>) =>
  checks.map(({ passed, message }) => [passed, message]);

test('a measure within its limits passes, also at the limit', () => {
  const checks = thresholdChecks(measures({ wer: 0.3, coverage: 0.99, delays: 1.5 }), {
    wer: { max: 0.3 },
    coverage: { min: 0.99 },
    'delay.final.p95': { max: 2 },
  });
  expect(summary(checks)).toEqual([
    [true, 'wer 30.00 % is not above 30.00 %'],
    [true, 'coverage 99.00 % is not below 99.00 %'],
    [true, 'delay.final.p95 1.50 s is not above 2.00 s'],
  ]);
  expect(gateOf(checks).passed).toBe(true);
});

test('a measure beyond a limit fails with both values', () => {
  const checks = thresholdChecks(
    measures({ wer: 0.31, recall: 0.8, reconnects: 3 }),
    { wer: { max: 0.3 }, 'keywords.recall': { min: 0.9 }, reconnects: { min: 5, max: 10 } },
    { file: 'talk' },
  );
  expect(checks.map(({ passed }) => passed)).toEqual([false, false, true, false]);
  expect(checks[0]).toEqual({
    kind: 'threshold',
    file: 'talk',
    measure: 'wer',
    passed: false,
    message: 'wer 31.00 % is above 30.00 %',
    value: 0.31,
    limit: 0.3,
  });
  expect(gateOf(checks).passed).toBe(false);
});

test('a limit of a missing measure fails with the reason', () => {
  const checks = thresholdChecks(measures({}), {
    wer: { max: 1 },
    'delay.word.p99': { max: 100 },
    'keywords.recall': { min: 0 },
  });
  expect(summary(checks)).toEqual([
    [false, expect.stringContaining('there is no reference')],
    [false, expect.stringContaining('speed is max')],
    [false, expect.stringContaining('no keywords are given')],
  ]);
});

test('a failed stream and a cassette that does not match fail by themselves', () => {
  const checks = streamChecks([
    file(),
    file({ name: 'b', failure: 'connection refused' }),
    file({ name: 'c', mismatches: ['language: recorded en, asked fr', 'more'] }),
  ]);
  expect(checks).toMatchObject([
    {
      kind: 'stream',
      file: 'b',
      passed: false,
      message: 'the stream failed: connection refused',
    },
    {
      kind: 'mismatches',
      file: 'c',
      passed: false,
      value: 2,
      message: expect.stringContaining('recorded en, asked fr'),
    },
  ]);
});

test('a failed check of a delay is invalid on a busy machine, but one of words is not', () => {
  const limits = { wer: { max: 0.3 }, 'delay.final.p95': { max: 1 } };
  const late = thresholdChecks(measures({ wer: 0.1, delays: 1.5 }), limits);
  const machine = { eventLoopP99: 0.2 };
  expect(gateOf(late)).toMatchObject({ passed: false });
  expect(gateOf(late)).not.toHaveProperty('isInvalid');
  const gate = gateOf(late, machine);
  expect(gate).toMatchObject({
    passed: false,
    isInvalid: true,
    checks: [
      { passed: true },
      { isInvalid: true, message: expect.stringContaining('; invalid: this process was late by 0.20 s') },
    ],
  });
  expect(gateOf(thresholdChecks(measures({ wer: 0.4, delays: 1.5 }), limits), machine)).not.toHaveProperty(
    'isInvalid',
  );
  expect(gateOf(thresholdChecks(measures({ wer: 0.1, delays: 0.5 }), limits), machine)).toMatchObject({
    passed: true,
  });
  expect(gateOf(late, { eventLoopP99: 0.1 })).not.toHaveProperty('isInvalid');
  // A delay that could not be measured at all has another reason.
  expect(gateOf(thresholdChecks(measures({ wer: 0.1 }), limits), machine)).not.toHaveProperty('isInvalid');
});
