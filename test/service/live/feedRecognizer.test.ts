import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createEndingDecision, ENDINGS } from '../../../src/service/live/ending.ts';
import { feedRecognizer } from '../../../src/service/live/feedRecognizer.ts';

/** Starts the end of a stream whose results arrive slowly. */
function endOfStream() {
  let reportedCount = 0;
  const clock = new VirtualClock();
  const decision = createEndingDecision();
  const end = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const feeding = feedRecognizer((async function* () {})(), {
    recognizer: { write: async () => {}, finish: async () => {} },
    sampleRate: 16_000,
    results: { end: end.promise, reportedCount: () => reportedCount },
    meter: { hasCredit: true, use() {}, settle: async () => {} },
    decision,
    stallMs: 60_000,
    clock,
    onError: error => errors.push(error),
  });
  /** Advances a minute, in which some results are reported. */
  const passMinute = async (results: number) => {
    await setImmediate();
    reportedCount += results;
    clock.advance(60_000);
    await setImmediate();
  };
  return { decision, end, errors, feeding, passMinute };
}

test('results are awaited as long as they keep coming', async () => {
  const { decision, end, errors, feeding, passMinute } = endOfStream();
  for (let minute = 0; minute < 5; minute++) await passMinute(1);
  end.resolve();
  await feeding;
  expect([decision.ending, errors]).toEqual([ENDINGS.endOfInput, []]);
});

test('missing results are not awaited', async () => {
  const { decision, errors, feeding, passMinute } = endOfStream();
  await passMinute(1);
  await passMinute(0);
  await feeding;
  expect(decision.ending).toBe(ENDINGS.hung);
  expect(errors).toMatchObject([{ code: 'timeout' }]);
});
