import { expect, test } from 'vitest';
import { createLedger, type Use } from '../../../src/service/accounts/ledger.ts';

/** A booking side that charges each meter once for each second, as the store does. */
function bookingSide() {
  const booked = new Map<string, number>();
  const uses: Use[] = [];
  let isAnswerLost = false;
  return {
    uses,
    get charged() {
      return [...booked.values()].reduce((sum, seconds) => sum + seconds, 0);
    },
    set isAnswerLost(isLost: boolean) {
      isAnswerLost = isLost;
    },
    async book(use: Use) {
      uses.push(use);
      booked.set(use.meterId, Math.max(booked.get(use.meterId) ?? 0, use.totalSeconds));
      if (isAnswerLost) throw new Error('The answer is lost.');
    },
  };
}

test('a booking whose answer is lost is repeated with the total of the same meter', async () => {
  const ledger = createLedger();
  const side = bookingSide();
  ledger.setCredit('a', 100);
  const meter = ledger.openMeter('a', side.book);
  meter.use(5);
  side.isAnswerLost = true;
  await ledger.bookUse();
  meter.use(2);
  side.isAnswerLost = false;
  await ledger.bookUse();
  expect(side.charged).toBe(7);
  meter.use(1);
  await ledger.bookUse();
  meter.settle();
  await ledger.bookUse();
  expect(side.charged).toBe(8);
  const [first] = side.uses;
  expect(side.uses.map(({ totalSeconds, seconds }) => [totalSeconds, seconds])).toEqual([
    [5, 5],
    [7, 7],
    [8, 1],
    [8, 0],
  ]);
  expect(new Set(side.uses.map(({ meterId }) => meterId))).toEqual(new Set([first!.meterId]));
  expect(ledger.inUse()).toEqual([]);
});

test('each job has a meter of its own', async () => {
  const ledger = createLedger();
  const side = bookingSide();
  for (let job = 0; job < 3; job++) {
    const meter = ledger.openMeter('a', side.book);
    meter.use(2);
    meter.settle();
  }
  await ledger.bookUse();
  expect(side.charged).toBe(6);
});
