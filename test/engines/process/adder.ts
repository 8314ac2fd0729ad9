/** Work for tests: adds numbers, fails, crashes, emits events and hears of its end. */
import { RxscribeError } from '../../../src/base/errors.ts';
import { serveWork } from '../../../src/engines/process/serveWork.ts';

export interface AdderSetup {
  readonly start?: number;
  readonly failure?: string;
  readonly isEndless?: boolean;
}

export interface AdderMethods {
  add(number: number): number;
  lengthOf(samples: Int16Array): number;
  emit(event: string): void;
  fail(code: 'engine-missing' | 'timeout', message: string): void;
  exit(): void;
  /** Resolves after a while. */
  wait(): Promise<void>;
  /** Computes for some milliseconds. */
  compute(ms: number): void;
}

serveWork<AdderSetup, AdderMethods, string>(async ({ start = 0, failure, isEndless }) => {
  if (failure) throw new RxscribeError('engine-missing', failure);
  if (isEndless) await new Promise(resolve => setTimeout(resolve, 60_000));
  return emit => {
    let sum = start;
    return {
      add: number => (sum += number),
      lengthOf: samples => samples.length,
      emit,
      fail(code, message) {
        throw new RxscribeError(code, message);
      },
      exit: () => process.exit(7),
      compute(ms) {
        const began = process.cpuUsage();
        const beganMs = performance.now();
        // Processor time alone may be more than the time that has passed: other threads collect garbage.
        const spentMs = () => {
          const { user, system } = process.cpuUsage(began);
          return Math.min((user + system) / 1000, performance.now() - beganMs);
        };
        while (spentMs() < ms);
      },
      wait: () => new Promise(resolve => setTimeout(resolve, 200)),
      [Symbol.dispose]: () => emit('disposed'),
    };
  };
});
