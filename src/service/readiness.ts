import type { FastifyBaseLogger } from 'fastify';
import { messageOf, RxscribeError } from '../base/errors.ts';

/** What a service waits for before it is ready. */
export interface Readiness {
  /** Names of what is waited for; empty when the service is ready. */
  missing(): readonly string[];
  /** Waits for a part, under a name. @throws what it throws, which is logged */
  part(name: string, made: Promise<unknown>): Promise<void>;
  /** From now on the service is not ready any more. */
  stop(): void;
}

const STOPPING = 'stopping';

export function createReadiness(logger: FastifyBaseLogger): Readiness {
  const waitingFor = new Set<string>();
  return {
    missing: () => [...waitingFor],
    async part(name, made) {
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
    },
    stop: () => void waitingFor.add(STOPPING),
  };
}
