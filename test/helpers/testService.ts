import { onTestFinished } from 'vitest';
import { VirtualClock } from '../../src/replay/time/virtualClock.ts';
import { createFixedAccount } from '../../src/service/accounts/fixedAccount.ts';
import type { Service } from '../../src/service/app.ts';
import { advanceUntil } from './advanceUntil.ts';
import { FAST_PASSWORDS } from './fastPasswords.ts';
import { type LimitedServiceOptions, startLimitedService } from './limitedService.ts';
import { plainPunctuator } from './plainPunctuator.ts';
import { createScriptedRecognizer } from './scriptedRecognizer.ts';

export { advanceUntil } from './advanceUntil.ts';

export const TEST_TOKEN = 'test-token-of-the-service';

/** Returns the options that services of tests have unless asked otherwise. */
export function scriptedServiceOptions() {
  return {
    recognizer: createScriptedRecognizer(),
    punctuator: plainPunctuator,
    port: 0,
    logLevel: 'silent',
    passwordCost: FAST_PASSWORDS,
    // Nothing that a test leaves open is worth waiting for.
    drainSeconds: 0,
  } as const;
}

/**
 * A service on a free port, which is closed when the test is over: scripted recogniser, one fixed account, no store and
 * no log unless asked for.
 */
export async function startTestService(options: Partial<LimitedServiceOptions> = {}): Promise<Service> {
  const isStored = 'dataDirectory' in options;
  const service = await startLimitedService({
    ...scriptedServiceOptions(),
    ...(isStored ? { token: TEST_TOKEN } : { accounts: createFixedAccount(TEST_TOKEN) }),
    ...options,
  });
  const isVirtual = options.clock instanceof VirtualClock;
  onTestFinished(async () => {
    const closed = service.close();
    if (isVirtual) await advanceUntil(options.clock, 1000, closed);
    await closed;
  });
  // On a busy machine a store takes longer to open than a request waits for it.
  if (isStored && !options.databaseUrl && !isVirtual) await service.ready.catch(() => {});
  return service;
}

/** An answer over HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read it as they expect it
  json(): any;
}

/** One request, with the token unless a header says otherwise. */
export async function request(
  service: Pick<Service, 'url'>,
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Answer> {
  const headers = { authorization: `Bearer ${TEST_TOKEN}`, ...init.headers };
  const response = await fetch(service.url + path, { redirect: 'manual', ...init, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}
