import { type Service, startService } from '../../src/service/app.ts';
import type { LimitChanges } from '../../src/service/limits.ts';
import type { ServiceOptions } from '../../src/service/options.ts';

/** Options of a service with any limits. */
export interface LimitedServiceOptions extends Omit<ServiceOptions, 'limits'> {
  readonly limits?: LimitChanges;
}

/** Starts a service with other limits than a program can set. */
export function startLimitedService({ limits, ...options }: LimitedServiceOptions): Promise<Service> {
  return startService(options, limits);
}
