import type { Clock } from '../base/clock.ts';
import { brandNames } from '../protocol/brand.ts';
import type { DeliveriesOptions } from './jobs/deliveries.ts';
import { createAddressGuard } from './outbound/addressGuard.ts';
import { deliver } from './outbound/notify.ts';
import { NOTIFICATION_WINDOW_MS, retryDelaySeconds } from './outbound/retrySchedule.ts';

export interface NotifyingOptions {
  readonly brand: string;
  readonly allowPrivateAddresses: boolean;
  readonly clock: Clock;
}

/** How the notifications of a service are delivered. */
export function notifyingBy({ brand, allowPrivateAddresses, clock }: NotifyingOptions): DeliveriesOptions {
  const names = brandNames(brand);
  const guard = createAddressGuard({ allowPrivate: allowPrivateAddresses });
  return {
    deliver: (delivery, signal) => deliver(delivery, { guard, names, clock, signal }),
    retryDelaySeconds,
    windowMs: NOTIFICATION_WINDOW_MS,
  };
}
