import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Clock, systemClock } from '../../base/clock.ts';
import { withDeadline } from '../../base/wait/withTimeout.ts';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import { signNotification } from '../../protocol/signature.ts';
import type { AddressGuard } from './addressGuard.ts';
import { type BodyOptions, bodyOf } from './body.ts';
import { type ExchangeRequest, exchange } from './exchange.ts';
import { OutboundError, outboundUrl, tooLate } from './outboundError.ts';

/** One notification on its way to one receiver. */
export interface Delivery {
  readonly url: string;
  /** Value of the Authorization header, sent as it is. */
  readonly authorization?: string;
  /** JSON, sent as it is. */
  readonly body: string;
  /** The same in every try. */
  readonly deliveryId: string;
  /** Signs the body, where the account has one. */
  readonly secret?: string;
}

export interface DeliverOptions {
  readonly guard: AddressGuard;
  /** For the names of headers. */
  readonly names: BrandNames;
  /** For the whole try. Default {@link DELIVERY_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
  /** Its reason is thrown. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/** How a try to deliver ended; the reason says why, to operators, and holds neither query nor token. */
export type DeliveryOutcome =
  | { readonly outcome: 'delivered'; readonly status: number }
  /** The receiver wants no more of it. */
  | { readonly outcome: 'stopped'; readonly status: number; readonly reason: string }
  | { readonly outcome: 'retry'; readonly status?: number; readonly reason: string };

export const DELIVERY_TIMEOUT_MS = 10_000;

/** Of an answer, which nobody needs: read so that its sender may end in peace. */
const MAX_ANSWER_BYTES = 8 * 1024;

/**
 * Tries once to deliver a notification. It is signed anew in each try, so that its time is recent.
 *
 * @throws the signal's reason when there is no answer yet
 */
export async function deliver(delivery: Delivery, options: DeliverOptions): Promise<DeliveryOutcome> {
  const { guard, names, timeoutMs = DELIVERY_TIMEOUT_MS, clock = systemClock, signal } = options;
  try {
    const request = requestOf(delivery, names, clock);
    const status = await withDeadline(
      { timeoutMs, lateError: () => tooLate('an answer', timeoutMs), clock, signal },
      async signal => {
        const limits = { guard, clock, signal, connectTimeoutMs: timeoutMs, answerTimeoutMs: timeoutMs };
        const answer = await exchange(request, limits);
        await drop(answer, { clock, signal, maxBytes: MAX_ANSWER_BYTES, stallTimeoutMs: timeoutMs });
        return answer.statusCode!;
      },
    );
    return outcomeOf(status);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { outcome: 'retry', reason: error.message };
  }
}

function requestOf(delivery: Delivery, names: BrandNames, clock: Clock): ExchangeRequest {
  const { authorization, deliveryId, secret } = delivery;
  const body = Buffer.from(delivery.body);
  const timestamp = Math.floor(clock.wallTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    [names.deliveryHeader]: deliveryId,
    ...(authorization !== undefined && { authorization }),
    ...(secret !== undefined && { [names.signatureHeader]: signNotification({ secret, timestamp, body }) }),
  };
  return { url: outboundUrl(delivery.url), method: 'POST', headers, body };
}

/** Never fails: what comes after the status changes nothing. */
async function drop(answer: IncomingMessage, options: BodyOptions): Promise<void> {
  try {
    await buffer(bodyOf(answer, options));
  } catch {
    // Too much, too slow or broken.
  } finally {
    answer.destroy();
  }
}

function outcomeOf(status: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status };
  const reason = `wanted status 200, found ${status}`;
  return { outcome: status === 410 ? 'stopped' : 'retry', status, reason };
}

/** How long a notification is tried for. */
export const NOTIFICATION_WINDOW_MS = 24 * 3_600_000;

const FIRST_SECONDS = 10;
const LONGEST_SECONDS = 3600;
/** Part of a wait that is left to chance, so that what failed together is not tried together. */
const JITTER = 0.25;

/**
 * How long to wait after a try that failed: 10 s after the first, then twice as long each time, at most an hour, and up
 * to a quarter less.
 *
 * @param attempt how many tries there were, from 1
 * @param random from 0 up to 1
 * @example
 * retryDelaySeconds(3, () => 0) // 40
 */
export function retryDelaySeconds(attempt: number, random: () => number = Math.random): number {
  const seconds = Math.min(FIRST_SECONDS * 2 ** (attempt - 1), LONGEST_SECONDS);
  return seconds * (1 - JITTER * random());
}
