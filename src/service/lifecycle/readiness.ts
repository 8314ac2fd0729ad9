import type { FastifyBaseLogger } from 'fastify';
import { RxscribeError, reasonOf } from '../../base/errors.ts';

/** The parts that a service needs before it is ready. */
export type Readiness = ReturnType<typeof createReadiness>;

/** Name among the missing parts of a service that is stopping. */
export const STOPPING = 'stopping';

/** Creates the readiness of a service. */
export function createReadiness(logger: FastifyBaseLogger) {
  const waitingFor = new Set<string>();

  async function waitForOne(name: string, made: Promise<unknown>): Promise<void> {
    waitingFor.add(name);
    try {
      await made;
      waitingFor.delete(name);
    } catch (error) {
      // Failures are expected in a service that is stopping.
      if (!waitingFor.has(STOPPING)) {
        const isKnown = error instanceof RxscribeError;
        logger.error(isKnown ? {} : { err: error }, `The ${name} cannot be made ready: ${reasonOf(error)}.`);
      }
      throw error;
    }
  }

  return {
    /** Returns the names of the parts that are not ready, and {@link STOPPING}; none when the service is ready. */
    missing: (): readonly string[] => [...waitingFor],
    /**
     * Waits for parts, given by name.
     *
     * @throws the error of a part that fails, after logging it
     */
    waitFor(parts: Readonly<Record<string, Promise<unknown>>>): Promise<void> {
      const all = Object.entries(parts).map(([name, made]) => waitForOne(name, made));
      const ready = Promise.all(all).then(() => logger.info('ready'));
      // An unhandled rejection would end the process.
      ready.catch(() => {});
      return ready;
    },
    /** Marks the service as stopping: it is not ready from now on. */
    stop: () => void waitingFor.add(STOPPING),
  };
}
