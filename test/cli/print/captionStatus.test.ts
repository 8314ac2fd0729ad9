import { expect, test } from 'vitest';
import { statusLine } from '../../../src/cli/print/captionStatus.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';

const report = () => ({ rooms: [], computeRatio: 0.25, viewers: 3 });

test('the status is shown each second on a terminal, and written each minute elsewhere', async () => {
  const clock = new VirtualClock();
  let shown = 0;
  let written = '';
  let isTerminal = true;
  const state = () => {
    if (isTerminal) shown++;
    return isTerminal;
  };
  const stderr = {
    write(text: string) {
      written += text;
      return true;
    },
  };
  const end = statusLine(report, { state, stderr, clock });
  await clock.advanceAsync(10_000);
  expect([shown, written]).toEqual([10, '']);
  isTerminal = false;
  await clock.advanceAsync(49_000);
  expect(written).toBe('');
  await clock.advanceAsync(61_000);
  expect(written).toBe('Status: 3 viewers · compute 0.25x\n'.repeat(2));
  await end();
  expect(clock.pending).toBe(0);
});
