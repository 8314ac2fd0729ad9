import { describe, expect, test } from 'vitest';
import { ConnectionLostError } from '../../../../src/client/serviceErrors.ts';
import { STREAM_DEFAULTS } from '../../../../src/client/stream/options.ts';
import { next, startOfController } from '../../../../src/client/stream/recovery/controller.ts';
import type {
  ControllerEffect,
  ControllerEvent,
  ControllerSettings,
  ControllerState,
} from '../../../../src/client/stream/recovery/controllerModel.ts';
import { RECONNECT_DEFAULTS } from '../../../../src/client/stream/recovery/reconnect.ts';
import { SourceGaps } from '../../../../src/client/stream/recovery/sourceGaps.ts';
import { final } from '../../../helpers/transcriptEvents.ts';

const RATE = 16_000;
const lost = new ConnectionLostError('connection-lost', 'lost', { advice: '', retry: true });
const resume = { ...RECONNECT_DEFAULTS, giveUpAfterSeconds: 60 };

/** A controller whose surroundings a test sets. */
class Played {
  nowMs = 0;
  headFrame = 0;
  sentFrame = 0;
  effects: readonly ControllerEffect[] = [];
  #state: ControllerState;

  constructor(settings: Partial<ControllerSettings> = {}) {
    const { sessionSeconds, idle } = STREAM_DEFAULTS;
    this.#state = startOfController({ resume, sessionSeconds, idle, ...settings }, { sampleRate: RATE });
  }

  get attempt(): number {
    return this.#state.current!.id;
  }

  /** Types of the effects of an event. */
  play(event: ControllerEvent): readonly string[] {
    const { nowMs, headFrame, sentFrame } = this;
    const view = {
      ...{ nowMs, headFrame, sentFrame, gaps: new SourceGaps(), isLive: () => true },
      soundFrames: (from: number, to: number) => Math.max(0, to - from),
    };
    const { state, effects } = next(this.#state, event, view);
    this.#state = state;
    this.effects = effects;
    return effects.map(({ type }) => type);
  }

  /** Connects anew and is connected. */
  connect(): void {
    if (!this.#state.current) this.play({ type: 'timeout', timer: 'retry' });
    this.say({ type: 'connected', id: 'job' });
  }

  say(event: Extract<ControllerEvent, { type: 'transcript' }>['event'], attempt = this.attempt) {
    return this.play({ type: 'transcript', event, attempt });
  }

  break() {
    return this.play({ type: 'ended', failure: { error: lost }, attempt: this.attempt });
  }
}

/** A stream that was started and connected. */
function streaming(settings: Partial<ControllerSettings> = {}): Played {
  const played = new Played(settings);
  played.play({ type: 'start' });
  played.connect();
  return played;
}

describe('an outage', () => {
  test('that is too long ends the stream, although services say that they are connected', () => {
    const played = streaming();
    for (let second = 0; second < 60; second++) {
      expect(played.break()).toContain('startTimer');
      played.nowMs += 1000;
      played.connect();
    }
    expect(played.break()).toEqual(['end']);
  });

  test('is over when something is settled', () => {
    const played = streaming();
    played.break();
    played.nowMs += 59_000;
    played.connect();
    [played.headFrame, played.sentFrame] = [RATE, RATE];
    played.say(final('word', 0, 0.5));
    played.nowMs += 2000;
    expect(played.break()).toContain('startTimer');
  });

  test('is not over because a connection holds', () => {
    const played = streaming();
    played.break();
    played.connect();
    played.nowMs += 60_000;
    expect(played.break()).toEqual(['end']);
  });

  test('ends the stream at once where no reconnection is wanted', () => {
    expect(streaming({ resume: false }).break()).toEqual(['end']);
  });
});

describe('after a break', () => {
  test('the next attempt begins at the end of the last final, at the next address', () => {
    const played = streaming();
    [played.headFrame, played.sentFrame] = [2 * RATE, 2 * RATE];
    played.say(final('word', 0, 0.5));
    played.break();
    played.play({ type: 'timeout', timer: 'retry' });
    expect(played.effects).toContainEqual({
      type: 'open',
      attempt: 2,
      originFrame: RATE / 2,
      place: 'first',
      failures: 1,
      outageFailures: 1,
    });
  });

  test('audio that was dropped meanwhile is a hole and is not sent again', () => {
    const played = streaming();
    [played.headFrame, played.sentFrame] = [3 * RATE, 3 * RATE];
    played.play({ type: 'drop', beforeFrame: 2 * RATE });
    played.break();
    const range = { startFrame: 0, endFrame: 2 * RATE };
    expect(played.effects).toContainEqual({ type: 'dropped', range });
    played.play({ type: 'timeout', timer: 'retry' });
    expect(played.effects).toContainEqual({
      type: 'open',
      attempt: 2,
      originFrame: 2 * RATE,
      place: 'first',
      failures: 1,
      outageFailures: 1,
    });
  });

  test('events of the attempt that broke are ignored', () => {
    const played = streaming();
    const old = played.attempt;
    played.break();
    played.connect();
    expect(played.say(final('late', 0, 1), old)).toEqual([]);
  });
});

describe('a roll-over', () => {
  test('takes place at the first final after the successor is connected', () => {
    const played = streaming();
    [played.headFrame, played.sentFrame] = [2 * RATE, 2 * RATE];
    expect(played.play({ type: 'timeout', timer: 'rollOver' })).toEqual(['open']);
    expect(played.say(final('one', 0, 0.5))).toEqual(['transcript', 'settled']);
    played.say({ type: 'connected', id: 'second' }, 2);
    expect(played.attempt).toBe(1);
    played.say(final('two', 0.5, 1));
    expect(played.attempt).toBe(2);
    expect(played.effects).toContainEqual({ type: 'drain', attempt: 1 });
  });

  test('takes place when the first connection breaks, without a wait', () => {
    const played = streaming();
    played.play({ type: 'timeout', timer: 'rollOver' });
    expect(played.break()).not.toContain('status');
    expect(played.attempt).toBe(2);
  });

  test('is tried again later when there is no second connection', () => {
    const played = streaming();
    played.play({ type: 'timeout', timer: 'rollOver' });
    expect(played.play({ type: 'ended', failure: { error: lost }, attempt: 2 })).toEqual(['startTimer']);
    expect(played.attempt).toBe(1);
    expect(played.play({ type: 'timeout', timer: 'rollOver' })).toEqual(['open']);
  });
});

describe('a source that stands still', () => {
  const look = { type: 'timeout', timer: 'idle' } as const;

  test('has its connection kept open with silence', () => {
    const played = streaming();
    [played.headFrame, played.sentFrame] = [RATE, RATE];
    expect(played.play(look)).toEqual(['startTimer']);
    played.play(look);
    expect(played.effects).toContainEqual({ type: 'pad', attempt: 1, seconds: 1 });
    played.play(look);
    expect(played.effects).toContainEqual({ type: 'pad', attempt: 1, seconds: 0.1 });
  });

  test('gives its connection back when that is wanted, and gets another with its next audio', () => {
    const played = streaming({ idle: 'close' });
    [played.headFrame, played.sentFrame] = [RATE, RATE];
    played.play(look);
    played.play(look);
    expect(played.effects).toContainEqual({ type: 'drain', attempt: 1 });
    expect(played.play({ type: 'ended', attempt: 1 })).toContain('transcript');
    expect(played.play({ type: 'audio' })).toEqual([]);
    played.headFrame += RATE;
    expect(played.play({ type: 'audio' })).toContain('open');
  });
});

describe('the end of a source', () => {
  test('drains the connection, and ends the stream after it', () => {
    const played = streaming();
    [played.headFrame, played.sentFrame] = [RATE, RATE];
    expect(played.play({ type: 'finish' })).toEqual(['drain']);
    expect(played.play({ type: 'ended', attempt: 1 }).at(-1)).toBe('end');
    expect(played.play({ type: 'start' })).toEqual([]);
  });

  test('during an outage waits for the next attempt', () => {
    const played = streaming();
    [played.headFrame, played.sentFrame] = [RATE, RATE];
    played.break();
    expect(played.play({ type: 'finish' })).toEqual([]);
    expect(played.play({ type: 'timeout', timer: 'retry' })).toEqual(['startTimer', 'open', 'drain']);
  });
});
