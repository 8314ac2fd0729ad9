import { beforeEach, expect, test } from 'vitest';
import type { StreamStatus } from '../../../../src/client/stream/status.ts';
import type { WireTap } from '../../../../src/client/stream/wireTap.ts';
import type { Recognizer } from '../../../../src/engines/recognizer.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { expectAllWords } from '../../../helpers/recoveryCase.ts';
import type { RecoveryScenario } from '../../../helpers/recoveryScenario.ts';
import { createScriptedRecognizer, levelOf } from '../../../helpers/scriptedRecognizer.ts';
import { FLOWING_SPEECH, StandbyRun, type StandbyRunOptions } from '../../../helpers/standbyRun.ts';
import { advanceUntil, startTestService, TEST_TOKEN } from '../../../helpers/testService.ts';

/** A minute of speech with utterances of 6 s and pauses of 0.4 s: no word is the same as one near it. */
const LONG_SPEECH: RecoveryScenario = {
  ...FLOWING_SPEECH,
  levels: Array.from({ length: 640 }, (_, index) => (index % 64 < 60 ? (index % 200) + 1 : 0)),
};

let clock: VirtualClock;

beforeEach(() => {
  clock = new VirtualClock();
});

/** Milliseconds for a recogniser to read the audio that waits. */
const OPEN_MS = 100;

/** A recogniser that gives words only for some milliseconds, again and again. */
function spaced(ms: number, phaseMs = 0) {
  const since = () => (clock.now() + ms - phaseMs) % ms;
  return createScriptedRecognizer({
    beforeWrite: () =>
      since() < OPEN_MS
        ? Promise.resolve()
        : new Promise(resolve => void clock.schedule(ms - since(), resolve)),
  });
}

/** A recogniser that gives no more words after some milliseconds. */
function stuckAfter(ms: number) {
  return createScriptedRecognizer({
    beforeWrite: () => (clock.now() < ms ? Promise.resolve() : new Promise(() => {})),
  });
}

const MUSIC_LEVEL = 300;

/** A recogniser that has no words for music. */
function withoutMusic(): Recognizer {
  const recognizer = createScriptedRecognizer();
  return {
    ...recognizer,
    async open(options) {
      const session = await recognizer.open(options);
      const write = (samples: Int16Array) =>
        session.write(levelOf(samples) > MUSIC_LEVEL / 2 ? samples.map(() => 0) : samples);
      return { ...session, write };
    },
  };
}

/** Streams with two services, each with a recogniser of its own. */
async function run(
  recognizers: readonly Recognizer[],
  scenario: RecoveryScenario,
  options: Partial<StandbyRunOptions> = {},
) {
  const [first, second] = await Promise.all(
    recognizers.map(recognizer => startTestService({ clock, recognizer })),
  );
  const stream = new StandbyRun({
    ...{ clock, url: first!.url, token: TEST_TOKEN, levels: scenario.levels, ...options },
    standby: { url: second!.url, token: TEST_TOKEN, returnAfterSeconds: 600 },
  });
  const error = await advanceUntil(clock, 2, stream.end);
  return { stream, error };
}

const switches = (statuses: readonly StreamStatus[]) => statuses.filter(({ type }) => type === 'switched');

test.each([400, 1000, 1900])(
  'a service whose words come every %d ms goes on, whenever those of the standby come',
  async ms => {
    for (const phaseMs of [0, 700]) {
      clock = new VirtualClock();
      const { stream, error } = await run([spaced(ms), spaced(ms, phaseMs)], LONG_SPEECH);
      expectAllWords({ events: stream.events, error }, LONG_SPEECH);
      expect(switches(stream.statuses)).toEqual([]);
    }
  },
);

test('sound in which neither service hears words is no reason to change the service', async () => {
  const speech = LONG_SPEECH.levels.slice(0, 64);
  const levels = [...speech, ...new Array<number>(300).fill(MUSIC_LEVEL), ...speech];
  const { stream, error } = await run([withoutMusic(), withoutMusic()], { ...LONG_SPEECH, levels });
  const heard = levels.map(level => (level === MUSIC_LEVEL ? 0 : level));
  expectAllWords({ events: stream.events, error }, { levels: heard });
  expect(switches(stream.statuses)).toEqual([]);
});

test('a service that stops within words is replaced without a broken connection in between', async () => {
  const { stream, error } = await run([stuckAfter(30_400), spaced(100)], LONG_SPEECH);
  expectAllWords({ events: stream.events, error }, LONG_SPEECH);
  expect(switches(stream.statuses)).toEqual([
    { type: 'switched', to: 'standby', error: expect.objectContaining({ name: 'StreamTimeoutError' }) },
  ]);
  expect(stream.statuses.filter(({ type }) => type === 'reconnecting')).toEqual([]);
  expect(stream.longestGapMs).toBeLessThan(2000);
});

test('a standby without words does not replace a service that is late', async () => {
  const slow = createScriptedRecognizer({
    // Nothing for 5 s, once.
    beforeWrite: () =>
      clock.now() < 20_000 || clock.now() >= 25_000
        ? Promise.resolve()
        : new Promise(resolve => void clock.schedule(25_000 - clock.now(), resolve)),
  });
  const deaf = createScriptedRecognizer({ beforeWrite: () => new Promise(() => {}) });
  const { stream, error } = await run([slow, deaf], LONG_SPEECH);
  expectAllWords({ events: stream.events, error }, LONG_SPEECH);
  expect(switches(stream.statuses)).toEqual([]);
});

/** A listener on the wire that counts the frames and texts of each connection. */
function countingTap() {
  const connections: { originFrame: number; frames: number; texts: number }[] = [];
  const tap: WireTap = {
    query: () => {},
    connect({ originFrame }) {
      const counted = { originFrame, frames: 0, texts: 0 };
      connections.push(counted);
      return {
        ...{ opened() {}, sent() {}, receivedBinary() {}, closed() {}, padding() {} },
        audio({ frames }) {
          counted.frames += frames;
        },
        received() {
          counted.texts++;
        },
      };
    },
  };
  return { tap, connections };
}

test('a listener on the wire gets only the connections over which a stream goes on, from their beginning', async () => {
  const slow = countingTap();
  await run([spaced(1900), spaced(1900, 700)], LONG_SPEECH, { tap: slow.tap });
  expect(slow.connections).toMatchObject([{ originFrame: 0, frames: 64 * 16_000 }]);
  clock = new VirtualClock();
  const stuck = countingTap();
  await run([stuckAfter(30_400), spaced(100)], LONG_SPEECH, { tap: stuck.tap });
  const [first, second] = stuck.connections;
  expect(stuck.connections).toHaveLength(2);
  expect(first!.frames).toBeGreaterThan(30 * 16_000);
  expect(second!.originFrame + second!.frames).toBe(64 * 16_000);
  expect(second!.texts).toBeGreaterThan(300);
});
