import { beforeEach, describe, expect, test } from 'vitest';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import type { Service } from '../../../../src/service/app.ts';
import type { FaultPlan } from '../../../helpers/faultPlan.ts';
import { startFaultProxy } from '../../../helpers/faultProxy.ts';
import { finalWords } from '../../../helpers/finalWords.ts';
import {
  expectAllWords,
  FIRST_FINAL,
  SIX_UTTERANCES,
  TWO_UTTERANCES,
} from '../../../helpers/recoveryCase.ts';
import { faultyRun, type RecoveryRun } from '../../../helpers/recoveryRun.ts';
import type { RecoveryScenario } from '../../../helpers/recoveryScenario.ts';
import { scenarioSource } from '../../../helpers/scenarioSource.ts';
import { streamRun } from '../../../helpers/streamRun.ts';
import { connectedMessage, endPolitely, startStreamService } from '../../../helpers/streamService.ts';
import { advanceUntil, startTestService, TEST_TOKEN } from '../../../helpers/testService.ts';

/** Bytes of the answer to a handshake, with the id of the request. */
const HANDSHAKE_BYTES = 159;

let clock: VirtualClock;
let service: Service;

beforeEach(async () => {
  clock = new VirtualClock();
  service = await startTestService({ clock, limits: { account: { streams: 100 } } });
});

function run(plan: FaultPlan, changes: Partial<RecoveryScenario> = {}): Promise<RecoveryRun> {
  return faultyRun(service, { ...TWO_UTTERANCES, plans: [plan], ...changes }, clock);
}

describe('a connection that the service closes', () => {
  test.each([CLOSE.shuttingDown, CLOSE.noInstance, { code: 1001 }, { code: 1012 }, { code: 4999 }])(
    'with $code is followed by another one',
    async ({ code }) => {
      const result = await run([[{ kind: 'closeCode', code, after: { messagesDown: 3 } }]]);
      expectAllWords(result);
      expect(result.connections).toBe(2);
    },
  );

  test.each([
    [CLOSE.unauthorized, 'UnauthorizedError'],
    [CLOSE.badRequest, 'BadRequestError'],
    [CLOSE.outOfCredit, 'OutOfCreditError'],
    [CLOSE.tooManyRequests, 'TooManyRequestsError'],
    [CLOSE.unexpectedText, 'ProtocolError'],
    [CLOSE.internalError, 'ServiceFailedError'],
  ])('with $code is the last: what was said stands, the rest is a hole', async ({ code }, name) => {
    const result = await run([[{ kind: 'closeCode', code, after: { messagesDown: FIRST_FINAL } }]]);
    expect(result.error).toMatchObject({ name, closeCode: code });
    expect(result.connections).toBe(1);
    expect(finalWords(result.events).map(({ value }) => value)).toEqual(['w11', 'w12', 'w13', 'w14', 'w15']);
    expect(result.events.at(-1)).toMatchObject({ type: 'hole', ts: 0.5 });
  });

  test('because it reported nothing for long, is followed by another one', async () => {
    // The network stands still for as long as a service waits, and nobody asks whether it is there.
    const result = await run([[{ kind: 'swallowUp', after: { bytesUp: 12_345 } }]], {
      options: { ...TWO_UTTERANCES.options, pingIntervalMs: 60_000 },
    });
    expectAllWords(result);
    expect(result.connections).toBe(2);
  });
});

describe('a service', () => {
  test('that is dead is left after a ping without an answer', async () => {
    const result = await run([[{ kind: 'halfOpen', after: { bytesUp: 12_345 } }]], {
      options: { ...TWO_UTTERANCES.options, pongTimeoutMs: 1000 },
    });
    expectAllWords(result);
    expect(result.statuses.find(({ type }) => type === 'reconnecting')).toMatchObject({
      error: { name: 'ConnectionLostError', retry: true },
    });
  });

  test('that never says that it is connected is left', async () => {
    const plan: FaultPlan = [[{ kind: 'swallowDown', after: { bytesDown: HANDSHAKE_BYTES } }]];
    const result = await run(plan, { options: { ...TWO_UTTERANCES.options, readyTimeoutMs: 1000 } });
    expectAllWords(result);
  });

  test('that does not listen at first, and then does, gets all', async () => {
    const gone = await startFaultProxy(service, []);
    await gone[Symbol.asyncDispose]();
    const stream = streamRun(scenarioSource(TWO_UTTERANCES, clock), {
      url: gone.url,
      token: TEST_TOKEN,
      clock,
      skipPostprocessing: true,
      resume: { baseDelayMs: 100, maxDelayMs: 100 },
    });
    await advanceUntil(clock, 5, stream.until('reconnecting', 3));
    await using _back = await startFaultProxy(service, [], { port: gone.port });
    const error = await advanceUntil(clock, 5, stream.end);
    expectAllWords({ events: stream.events, error });
    expect(stream.statuses.find(({ type }) => type === 'reconnecting')).toMatchObject({
      error: { name: 'UnreachableError' },
    });
  });

  test('that is not there from the first is given up soon', async () => {
    const refusals = new Array<{ kind: 'refuse' }>(1000).fill({ kind: 'refuse' });
    const startMs = clock.now();
    const result = await run(refusals, { options: {} });
    expect(result.error).toMatchObject({ name: 'UnreachableError' });
    expect(result.connections).toBeGreaterThan(1);
    expect(clock.now() - startMs).toBeLessThan(30_000);
  });

  test('that fails is followed by the next address, and then by the first again', async () => {
    const first: FaultPlan = [[{ kind: 'cut', after: { messagesDown: 3 } }]];
    const second: FaultPlan = [[{ kind: 'closeCode', code: 4010, after: { messagesDown: 3 } }]];
    const result = await run([], { plans: [first, second] });
    expectAllWords(result);
    const addresses = result.statuses.flatMap(status =>
      status.type === 'connecting' ? [status.address] : [],
    );
    expect(addresses).toHaveLength(3);
    expect(addresses[1]).not.toBe(addresses[0]);
    expect(addresses[2]).toBe(addresses[0]);
  });

  test('is given a fresh token each time, and where the audio goes on', async () => {
    await using script = await startStreamService(async peer => {
      if (script.peers.length < 3) peer.tcp.resetAndDestroy();
      else {
        peer.say(connectedMessage);
        await endPolitely(peer);
      }
    });
    let tokens = 0;
    const stream = streamRun(scenarioSource(TWO_UTTERANCES, clock), {
      ...{ url: script.url, clock, startTs: 100 },
      token: () => `token${++tokens}`,
      resume: { baseDelayMs: 100, maxDelayMs: 100 },
    });
    expect(await advanceUntil(clock, 5, stream.end)).toBeUndefined();
    expect(script.peers.map(({ query }) => query.get('access_token'))).toEqual([
      'token1',
      'token2',
      'token3',
    ]);
    expect(script.peers.map(({ query }) => Number(query.get('start_ts')))).toEqual([100, 100, 100]);
  });
});

describe('a source that pauses', () => {
  const pauses = [{ beforeLevel: 9, ms: 40_000 }];

  test('keeps its connection, and its clock stands', async () => {
    const result = await run([], { pauses });
    expectAllWords(result);
    expect(result.connections).toBe(1);
  });

  test('in the middle of a word moves no word', async () => {
    // The pause ends the utterance where it stands: a final more, but the same words.
    const result = await run([], { pauses: [{ beforeLevel: 2, ms: 40_000 }] });
    expectAllWords(result);
    expect(result.connections).toBe(1);
  });

  test('gives its connection back by option', async () => {
    const result = await run([], { pauses, options: { ...TWO_UTTERANCES.options, idle: 'close' } });
    expectAllWords(result);
    expect(result.connections).toBe(2);
    expect(result.statuses.map(({ type }) => type)).not.toContain('reconnecting');
  });

  test('continues after a break of the connection in the pause', async () => {
    const plan: FaultPlan = [
      [{ kind: 'cut', after: { messagesDown: FIRST_FINAL } }],
      [{ kind: 'halfOpen', after: { messagesDown: 1 } }],
    ];
    const result = await run(plan, { pauses, options: { ...TWO_UTTERANCES.options, pongTimeoutMs: 1000 } });
    expectAllWords(result);
  });
});

describe('a session that gets old', () => {
  const { levels } = SIX_UTTERANCES;
  const options = { ...TWO_UTTERANCES.options, sessionSeconds: 1.5 };

  test('hands over at a pause, without a break', async () => {
    const result = await run([], { levels, options });
    expectAllWords(result, SIX_UTTERANCES);
    expect(result.connections).toBeGreaterThan(2);
    expect(result.statuses.map(({ type }) => type)).not.toContain('reconnecting');
  });

  test('costs no word when old and new one break at the same time', async () => {
    const broken = [{ kind: 'cut', after: { bytesUp: 50_000 } }] as const;
    const result = await run([broken, [{ kind: 'cut', after: { messagesDown: 1 } }], broken], {
      levels,
      options,
    });
    expectAllWords(result, SIX_UTTERANCES);
  });
});
