import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createCapacityMonitor } from '../../../src/service/live/capacityMonitor.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';

/** A monitor whose counts and lag a test sets. */
function monitored() {
  const clock = new VirtualClock();
  const state = { running: 0, waiting: 0, lagMs: 0, warnings: [] as string[] };
  const monitor = createCapacityMonitor({
    recognizer: createScriptedRecognizer({ maxSessions: 4, cost: 0.1, lagMs: () => state.lagMs }),
    counts: () => state,
    clock,
    logger: { warn: (_: object, message: string) => void state.warnings.push(message) } as never,
  });
  const set = async (changes: Partial<typeof state>, seconds = 0) => {
    Object.assign(state, changes);
    monitor.update();
    await clock.advanceAsync(seconds * 1000);
  };
  return { clock, state, monitor, set };
}

test('streams that are behind are reported once for each episode', async () => {
  const { state, monitor, set } = monitored();
  await set({ running: 3, lagMs: 2100 }, 300);
  expect(state.warnings).toEqual([
    'Streams are 2.1 s behind: the processors cannot keep up with 3 of them. New ones wait. ' +
      'Lower --max-streams or --jobs, or add a machine.',
  ]);
  expect(monitor.hasRoom()).toBe(false);
  await set({ lagMs: 0 }, 30);
  expect(monitor.hasRoom()).toBe(true);
  await set({ lagMs: 2500 }, 30);
  expect(state.warnings).toHaveLength(1);
  await set({ lagMs: 0 }, 61);
  await set({ lagMs: 3000 }, 5);
  expect(state.warnings).toHaveLength(2);
  expect(state.warnings[1]).toMatch('Streams are 3.0 s behind');
});

test('streams that wait in vain are reported once for each episode', async () => {
  const { state, set } = monitored();
  await set({ running: 4 }, 100);
  expect(state.warnings).toEqual([]);
  await set({ waiting: 2 }, 100);
  await set({ waiting: 0 }, 30);
  await set({ waiting: 1 }, 100);
  expect(state.warnings).toEqual([
    'No capacity is left for more streams: 4 run and 2 wait. ' +
      'Add a machine, or raise --max-streams if the processors are not busy.',
  ]);
  await set({ waiting: 0 }, 61);
  await set({ waiting: 1 }, 5);
  expect(state.warnings).toHaveLength(2);
});

test('no timer is left when no stream runs or waits', async () => {
  const { clock, set } = monitored();
  expect(clock.pending).toBe(0);
  await set({ running: 1 }, 10);
  expect(clock.pending).toBe(1);
  await set({ running: 0 });
  expect(clock.pending).toBe(0);
  await set({ waiting: 1 }, 10);
  expect(clock.pending).toBe(1);
  await set({ waiting: 0 });
  expect(clock.pending).toBe(0);
});
