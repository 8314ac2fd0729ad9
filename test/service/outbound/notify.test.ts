import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { brandNames } from '../../../src/protocol/interfaceNames.ts';
import { verifyNotification } from '../../../src/protocol/notifications.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Delivery } from '../../../src/service/jobs/deliveries.ts';
import { createAddressGuard } from '../../../src/service/outbound/addressGuard.ts';
import {
  DELIVERY_TIMEOUT_MS,
  type DeliverOptions,
  deliver,
  NOTIFICATION_WINDOW_MS,
  retryDelaySeconds,
} from '../../../src/service/outbound/notify.ts';
import { eventually } from '../../helpers/eventually.ts';
import { httpServer, rawServer } from '../../helpers/loopbackServer.ts';

const body = JSON.stringify({
  job: {
    id: 'a',
    created_on: '2026-01-01T00:00:00Z',
    status: 'transcribed',
    type: 'async',
    name: 'Grüße.wav',
  },
});

function post(url: string, more: Partial<Delivery> & Partial<DeliverOptions> = {}) {
  const { authorization, secret, ...options } = more;
  const delivery = { url, body, deliveryId: 'delivery-1', authorization, secret };
  const guard = createAddressGuard({ allowPrivate: true });
  return deliver(delivery, { guard, names: brandNames('acme'), ...options });
}

describe('a notification', () => {
  /** A receiver that records its requests. */
  async function receiver() {
    const received: { headers: IncomingHttpHeaders; method?: string; url?: string; body: Buffer }[] = [];
    const { url } = await httpServer(async (request, response) => {
      const { headers, method, url } = request;
      received.push({ headers, method, url, body: await buffer(request) });
      response.end('thanks');
    });
    return { url, received };
  }

  test('is posted verbatim, with an id for the receiver', async () => {
    const { url, received } = await receiver();
    await expect(post(`${url}/hook?key=a%20b`, { authorization: 'Basic c2VjcmV0' })).resolves.toEqual({
      outcome: 'delivered',
      status: 200,
    });
    expect(received).toEqual([
      {
        method: 'POST',
        url: '/hook?key=a%20b',
        headers: {
          host: new URL(url).host,
          connection: 'close',
          authorization: 'Basic c2VjcmV0',
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': expect.stringMatching(/^rxscribe\/\d/),
          'x-acme-delivery': 'delivery-1',
        },
        body: Buffer.from(body),
      },
    ]);
  });

  test('is signed over its bytes with a secret, again in each attempt', async () => {
    const { url, received } = await receiver();
    const clock = new VirtualClock();
    await post(url, { secret: 'sësame', clock });
    clock.advance(3_600_000);
    await post(url, { secret: 'sësame', clock });
    const now = clock.wallTime() / 1000;
    const [first, second] = received.map(({ headers, body }) => ({
      body,
      signature: headers['x-acme-signature'],
      secret: 'sësame',
      now,
    }));
    expect(verifyNotification(second!)).toMatchObject({ job: { id: 'a', name: 'Grüße.wav' } });
    expect(() => verifyNotification(first!)).toThrow('3600 s ago');
    expect(verifyNotification({ ...first!, now: now - 3600 })).toMatchObject({ job: { id: 'a' } });
  });
});

describe('the outcome', () => {
  const answering = (status: number): RequestListener => {
    return (request, response) => {
      request.resume().on('end', () => response.writeHead(status, { location: '/elsewhere' }).end());
    };
  };

  test.each([
    ['delivered', [200, 201, 202, 204, 299]],
    ['stopped', [410]],
    ['retry', [301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 408, 429, 500, 502, 503]],
  ])('is %s after the statuses %s', async (outcome, statuses) => {
    for (const status of statuses) {
      let requests = 0;
      const { url } = await httpServer((request, response) => {
        requests++;
        answering(status)(request, response);
      });
      await expect(post(url)).resolves.toMatchObject({ outcome, status });
      expect(requests).toBe(1);
    }
  });

  const refused = { guard: createAddressGuard() };
  test.each([
    ['nothing listens', () => 'http://127.0.0.1:1/', {}, 'the connection was refused'],
    ['the address is private', () => 'http://10.0.0.1/', refused, 'its address is not public'],
    ['the name is one of this machine', () => 'http://localhost:1/', refused, 'its address is not public'],
    ['the address is none', () => 'nowhere?secret', {}, 'is not an absolute http or https URL'],
    [
      'the authorization cannot be sent',
      () => 'http://a.example/',
      { authorization: 'a\nsecret' },
      'its headers cannot be sent',
    ],
  ])('is retry when %s', async (_, url, options, reason) => {
    const delivered = await post(url(), options);
    expect(delivered).toEqual({ outcome: 'retry', reason: expect.stringContaining(reason) });
    expect(JSON.stringify(delivered)).not.toMatch(/secret|\d+\.\d+\.\d+/);
  });

  test.each([
    ['says nothing', ''],
    ['closes', undefined],
    ['resets', null],
    ['speaks something else', 'HELO there\r\n'],
  ])('is retry when the receiver %s', async (_, answer) => {
    const { url } = await rawServer(socket => {
      if (answer === undefined) socket.end();
      else if (answer === null) socket.resetAndDestroy();
      else socket.write(answer);
    });
    await expect(post(url, { timeoutMs: 100 })).resolves.toEqual({
      outcome: 'retry',
      reason: expect.any(String),
    });
  });

  test('is that of the status, however long the receiver goes on sending', async () => {
    const gone: boolean[] = [];
    const { url } = await httpServer(async (request, response) => {
      request.socket.on('close', () => gone.push(true));
      response.writeHead(request.url === '/410' ? 410 : 200);
      while (!response.destroyed) {
        if (!response.write('x'.repeat(10_000)))
          await new Promise(resolve => response.once('drain', resolve));
      }
    });
    await expect(post(url)).resolves.toEqual({ outcome: 'delivered', status: 200 });
    await expect(post(`${url}/410`)).resolves.toMatchObject({ outcome: 'stopped', status: 410 });
    await eventually(() => expect(gone).toHaveLength(2));
  });

  test('comes in time from a slow receiver', async () => {
    const { url } = await rawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nwait');
    });
    const clock = new VirtualClock();
    const schedule = vi.spyOn(clock, 'schedule');
    const delivering = post(url, { clock });
    // The whole attempt, the connection and the answer; the fourth is for the rest of its body.
    await eventually(() => expect(schedule.mock.calls.length).toBeGreaterThanOrEqual(4));
    clock.advance(DELIVERY_TIMEOUT_MS);
    await expect(delivering).resolves.toEqual({ outcome: 'delivered', status: 200 });
    expect(clock.pending).toBe(0);
    const silent = await rawServer(() => {});
    await expect(post(silent.url, { timeoutMs: 100 })).resolves.toEqual({
      outcome: 'retry',
      reason: 'no answer within 0.1 s',
    });
  });

  test('is the reason of an earlier abort, thrown', async () => {
    const asked = Promise.withResolvers<void>();
    const { url } = await rawServer(() => asked.resolve());
    const controller = new AbortController();
    const clock = new VirtualClock();
    const delivering = post(url, { signal: controller.signal, clock });
    await asked.promise;
    controller.abort(new Error('the service stops'));
    await expect(delivering).rejects.toThrow('the service stops');
    expect(clock.pending).toBe(0);
  });
});

describe('the waits between attempts', () => {
  test('start with 10 s, double, and stay at an hour', () => {
    const waits = Array.from({ length: 12 }, (_, index) => retryDelaySeconds(index + 1, () => 0));
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600]);
  });

  test('are up to a quarter shorter, still grow, and are numbers after any number of attempts', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), chance, chance, (attempt, one, other) => {
        const longest = retryDelaySeconds(attempt, () => 0);
        const wait = retryDelaySeconds(attempt, () => one);
        expect(wait).toBeGreaterThan(longest * 0.75 - 1e-9);
        expect(wait).toBeLessThanOrEqual(3600);
        if (longest < 3600) expect(retryDelaySeconds(attempt + 1, () => other)).toBeGreaterThan(wait);
      }),
    );
    expect(retryDelaySeconds(1)).toBeLessThanOrEqual(10);
  });

  test('allow some thirty attempts in a day', () => {
    let [tries, seconds] = [1, 0];
    while ((seconds + retryDelaySeconds(tries, () => 0.5)) * 1000 <= NOTIFICATION_WINDOW_MS) {
      seconds += retryDelaySeconds(tries++, () => 0.5);
    }
    expect(tries).toBeGreaterThan(25);
    expect(tries).toBeLessThan(45);
  });
});
