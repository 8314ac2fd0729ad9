import { processorSeconds } from '../../src/cli/live/processorTime.ts';

/**
 * Returns the processor time that an action takes, in seconds: of this process and of its children, those that have ended
 * and those that go on. Linux only; that of children in steps of 10 ms.
 */
export async function cpuSecondsOf(action: () => Promise<unknown>): Promise<number> {
  const before = processorSeconds();
  await action();
  return processorSeconds() - before;
}
