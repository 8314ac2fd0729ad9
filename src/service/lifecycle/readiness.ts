import type { FastifyBaseLogger } from 'fastify';
import { messageOf, RxscribeError } from '../../base/errors.ts';

/** The parts that a service waits for before it is ready. */
export interface Readiness {
  /** Names of what is waited for; empty when the service is ready. */
  missing(): readonly string[];
  /**
   * Waits for parts, by their names.
   *
   * @throws what one of them throws, which is logged
   */
  waitFor(parts: Readonly<Record<string, Promise<unknown>>>): Promise<void>;
  /** From now on the service is not ready any more. */
  stop(): void;
}

const STOPPING = 'stopping';

export function createReadiness(logger: FastifyBaseLogger): Readiness {
  const waitingFor = new Set<string>();

  async function waitForOne(name: string, made: Promise<unknown>): Promise<void> {
    waitingFor.add(name);
    try {
      await made;
      waitingFor.delete(name);
    } catch (error) {
      // Of a service that stops meanwhile nobody expects it.
      if (!waitingFor.has(STOPPING)) {
        const isKnown = error instanceof RxscribeError;
        logger.error(isKnown ? {} : { err: error }, `${name} cannot be made ready: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  return {
    missing: () => [...waitingFor],
    waitFor(parts) {
      const all = Object.entries(parts).map(([name, made]) => waitForOne(name, made));
      const ready = Promise.all(all).then(() => logger.info('ready'));
      // Whoever waits for it is told; that nobody does must not end the process.
      ready.catch(() => {});
      return ready;
    },
    stop: () => void waitingFor.add(STOPPING),
  };
}
