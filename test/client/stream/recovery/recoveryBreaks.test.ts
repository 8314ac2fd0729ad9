import { beforeEach, describe, expect, test, vi } from 'vitest';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import type { Service } from '../../../../src/service/app.ts';
import type { FaultPlan } from '../../../helpers/faultPlan.ts';
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
import { advanceUntil, startTestService } from '../../../helpers/testService.ts';

let clock: VirtualClock;
let service: Service;

beforeEach(async () => {
  clock = new VirtualClock();
  service = await startTestService({ clock, limits: { account: { streams: 100 } } });
});

function run(plan: FaultPlan, changes: Partial<RecoveryScenario> = {}): Promise<RecoveryRun> {
  return faultyRun(service, { ...TWO_UTTERANCES, plans: [plan], ...changes }, clock);
}

describe('a break', () => {
  test.each<[string, FaultPlan, number]>([
    ['before the handshake', [[{ kind: 'cut' }]], 2],
    ['in the handshake', [[{ kind: 'cut', after: { bytesDown: 40 } }]], 2],
    ['before connected', [[{ kind: 'truncate' }]], 2],
    ['right after connected', [[{ kind: 'cut', after: { messagesDown: 1 } }]], 2],
    ['inside a sample of a word', [[{ kind: 'cut', after: { bytesUp: 12_345 } }]], 2],
    ['between two words', [[{ kind: 'cut', after: { messagesDown: 4 } }]], 2],
    ['within a final', [[{ kind: 'truncate', after: { messagesDown: FIRST_FINAL - 1 } }]], 2],
    ['right after a final', [[{ kind: 'cut', after: { messagesDown: FIRST_FINAL } }]], 2],
    [
      'again, and again',
      [
        [{ kind: 'cut', after: { messagesDown: 3 } }],
        [{ kind: 'end', after: { messagesDown: 4 } }],
        [{ kind: 'cut' }],
        [{ kind: 'cut', after: { messagesDown: FIRST_FINAL } }],
      ],
      5,
    ],
  ])('%s costs no word', async (_, plan, connections) => {
    const result = await run(plan);
    expectAllWords(result);
    expect(result.connections).toBe(connections);
  });

  // Without a pause at its end, the audio has its last final only after EOS.
  const levels = TWO_UTTERANCES.levels.slice(0, -4);

  test.each<[string, FaultPlan[number]]>([
    ['before the last final', [{ kind: 'cut', after: { messagesDown: FIRST_FINAL + 5 } }]],
    ['within the last final', [{ kind: 'truncate', after: { messagesDown: FIRST_FINAL + 5 } }]],
    ['between the last final and the close', [{ kind: 'cut', after: { messagesDown: FIRST_FINAL + 6 } }]],
    ['after EOS, in silence', [{ kind: 'swallowDown', after: { messagesDown: FIRST_FINAL + 5 } }]],
    ['that loses EOS', [{ kind: 'swallowUp', after: { messagesDown: FIRST_FINAL + 5 } }]],
  ])('%s costs no word', async (_, plan) => {
    expectAllWords(await run([plan], { levels }), { levels });
  });

  test('after EOS is followed by a connection that gets EOS again', async () => {
    await using script = await startStreamService(async peer => {
      peer.say(connectedMessage);
      if (script.peers.length > 1) return endPolitely(peer);
      await peer.endOfStream();
      peer.tcp.resetAndDestroy();
    });
    const source = scenarioSource({ ...TWO_UTTERANCES, speed: Number.POSITIVE_INFINITY }, clock);
    const stream = streamRun(source, { url: script.url, clock, resume: {} });
    expect(await advanceUntil(clock, 5, stream.end)).toBeUndefined();
    expect(script.peers[1]!.audio).toEqual(script.peers[0]!.audio);
  });

  test('while it catches up costs no word', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.99);
    const result = await run(
      [
        [{ kind: 'cut', after: { messagesDown: 3 } }],
        ...new Array<{ kind: 'refuse' }>(20).fill({ kind: 'refuse' }),
        // The handshake and half a second of what waits.
        [{ kind: 'cut', after: { bytesUp: 16_500 } }],
      ],
      {
        levels: SIX_UTTERANCES.levels,
        options: { ...TWO_UTTERANCES.options, catchUp: { speed: 2, burstSeconds: 0.2 } },
      },
    );
    vi.restoreAllMocks();
    expectAllWords(result, SIX_UTTERANCES);
    expect(result.connections).toBe(23);
    const lags = result.statuses.flatMap(status => (status.type === 'progress' ? [status.lagSeconds] : []));
    // It was still behind when it was cut again.
    const [afterOutage, atCut] = [Math.max(...lags), lags.at(-1)];
    expect(afterOutage).toBeGreaterThan(1);
    expect(atCut).toBeLessThan(afterOutage);
  });

  test('after a long silence costs no word, and sends little of the silence again', async () => {
    const silence = new Array<number>(1000).fill(0);
    const levels = [...TWO_UTTERANCES.levels, ...silence, ...TWO_UTTERANCES.levels];
    // 32 bytes of a millisecond, and some for each frame.
    const result = await run([[{ kind: 'cut', after: { bytesUp: 100_000 * 33 } }]], {
      levels,
      blockFrames: [1600],
      options: { ...TWO_UTTERANCES.options, pingIntervalMs: 1000 },
    });
    expectAllWords(result, { levels });
    expect(result.connections).toBe(2);
    // Of 98 s it is sure of those that lie more than a minute back.
    const silentTo = result.events.flatMap(event => (event.type === 'silence' ? [event.endTs] : []));
    expect(Math.max(...silentTo.filter(endTs => endTs < 98))).toBeGreaterThan(20);
  });
});
