import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { context, propagation } from '@opentelemetry/api';
import { type Clock, systemClock } from '../../base/clock.ts';
import { withDeadline } from '../../base/wait/withTimeout.ts';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import { signNotification } from '../../protocol/signature.ts';
import type { Delivery, DeliveryOutcome } from '../jobs/deliveries.ts';
import { REQUEST_ID_HEADER } from '../telemetry/requestId.ts';
import type { AddressGuard } from './addressGuard.ts';
import { type BodyOptions, bodyOf } from './body.ts';
import { type ExchangeRequest, exchange } from './exchange.ts';
import { OutboundError, outboundUrl, tooLate } from './outboundError.ts';

export interface DeliverOptions {
  readonly guard: AddressGuard;
  /** Names of the headers. */
  readonly names: BrandNames;
  /** Milliseconds for the whole attempt. Default {@link DELIVERY_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
  /** Aborts the attempt; the reason is thrown. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export const DELIVERY_TIMEOUT_MS = 10_000;

/** Bytes of an answer that are read, so that the receiver can finish sending. */
const MAX_ANSWER_BYTES = 8 * 1024;

/**
 * Makes one attempt to deliver a notification. Each attempt has a new signature with the current time.
 *
 * @throws the signal's reason when it is aborted before the answer
 */
export async function deliver(delivery: Delivery, options: DeliverOptions): Promise<DeliveryOutcome> {
  const { guard, names, timeoutMs = DELIVERY_TIMEOUT_MS, clock = systemClock, signal } = options;
  try {
    const request = requestOf(delivery, names, clock);
    const status = await withDeadline(
      { timeoutMs, lateError: () => tooLate('answer', timeoutMs), clock, signal },
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
  const { authorization, deliveryId, secret, requestId } = delivery;
  const body = Buffer.from(delivery.body);
  const timestamp = Math.floor(clock.wallTime() / 1000);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    [names.deliveryHeader]: deliveryId,
    ...(authorization !== undefined && { authorization }),
    ...(secret !== undefined && { [names.signatureHeader]: signNotification({ secret, timestamp, body }) }),
    ...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }),
  };
  // The receiver can continue the trace.
  propagation.inject(context.active(), headers);
  return { url: outboundUrl(delivery.url), method: 'POST', headers, body };
}

/** Reads the rest of an answer. Never fails: only the status matters. */
async function drop(answer: IncomingMessage, options: BodyOptions): Promise<void> {
  try {
    await buffer(bodyOf(answer, options));
  } catch {
    // The answer is too long, too slow or broken.
  } finally {
    answer.destroy();
  }
}

function outcomeOf(status: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status };
  const reason = `the receiver answered with status ${status}`;
  return { outcome: status === 410 ? 'stopped' : 'retry', status, reason };
}

/** Milliseconds after which a notification is given up. */
export const NOTIFICATION_WINDOW_MS = 24 * 3_600_000;

const FIRST_SECONDS = 10;
const LONGEST_SECONDS = 3600;
/** Random part of a wait, which spreads attempts that failed together. */
const JITTER = 0.25;

/**
 * Returns the seconds to wait after a failed attempt: 10 after the first, then twice as long each time, at most an hour,
 * less up to a quarter.
 *
 * @param attempt number of attempts so far, from 1
 * @param random returns a number from 0 up to 1
 * @example
 * retryDelaySeconds(3, () => 0) // 40
 */
export function retryDelaySeconds(attempt: number, random: () => number = Math.random): number {
  const seconds = Math.min(FIRST_SECONDS * 2 ** (attempt - 1), LONGEST_SECONDS);
  return seconds * (1 - JITTER * random());
}
