import { describe, expect, test } from 'vitest';
import {
  ConnectionLostError,
  IdleError,
  StreamTimeoutError,
  UnauthorizedError,
  UnreachableError,
} from '../../../../src/client/serviceErrors.ts';
import { STREAM_DEFAULTS } from '../../../../src/client/stream/options.ts';
import { next, startSession, takesAudio } from '../../../../src/client/stream/session/session.ts';
import type {
  SessionEffect,
  SessionEvent,
  SessionState,
  TimerName,
} from '../../../../src/client/stream/session/sessionModel.ts';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import { connectedMessage, finalMessage } from '../../../helpers/streamService.ts';

const RATE = 16_000;
const TIMEOUTS = { connectMs: 1, readyMs: 2, pingIntervalMs: 3, pongMs: 4, finalMs: 5, stallMs: 6 };

const opened: SessionEvent = { type: 'opened' };
const flushed: SessionEvent = { type: 'flushed' };
const pong: SessionEvent = { type: 'pong' };
const connected = say(connectedMessage);
const sent = (startFrame: number, frames: number): SessionEvent => ({ type: 'sent', startFrame, frames });
const timeout = (timer: TimerName): SessionEvent => ({
  type: 'timeout',
  timer,
});
const close = (code: number, reason = ''): SessionEvent => ({
  type: 'closed',
  close: { opened: true, code, reason },
});

function say(message: unknown): SessionEvent {
  return { type: 'text', text: typeof message === 'string' ? message : JSON.stringify(message) };
}

/** The state after events, and the effects of the last one. */
function play(...events: readonly SessionEvent[]): { state: SessionState; effects: readonly string[] } {
  const settings = {
    address: 'ws://host/stream',
    sampleRate: RATE,
    originFrame: 0,
    startTs: 0,
    maxSegmentSeconds: 30,
    timeouts: TIMEOUTS,
  };
  const start = startSession(settings);
  const last = events.reduce((step, event) => next(step.state, event), start);
  return { state: last.state, effects: last.effects.map(show) };
}

/** An effect in a few words: `start pong 4`, `status open`, `emit final word 0-1`. */
function show(effect: SessionEffect): string {
  switch (effect.type) {
    case 'startTimer':
      return `start ${effect.timer} ${effect.delayMs}`;
    case 'stopTimer':
      return `stop ${effect.timer}`;
    case 'status':
      return `status ${effect.status.type}${'code' in effect.status ? ` ${effect.status.code}` : ''}`;
    case 'transcript':
      return effect.event.type === 'connected'
        ? `emit connected ${effect.event.id}`
        : `emit ${effect.event.type} ${effect.event.ts}-${effect.event.endTs}`;
    case 'read':
      return `read ${effect.frame}`;
    case 'ended':
      return effect.failure ? `fail ${(effect.failure.error as Error).name}` : 'complete';
    default:
      return effect.type;
  }
}

describe('a session', () => {
  test('starts by connecting, within a time', () => {
    expect(play().effects).toEqual(['status connecting', 'start connect 1', 'connect']);
    expect(takesAudio(play().state)).toBe(false);
  });

  test('takes audio as soon as the socket is open, before connected', () => {
    const { state, effects } = play(opened);
    expect(effects).toEqual(['stop connect', 'start ready 2', 'start ping 3', 'status open', 'writable']);
    expect(takesAudio(state)).toBe(true);
  });

  test('streams once it is connected', () => {
    const { state, effects } = play(opened, connected);
    expect(effects).toEqual(['stop ready', 'status connected', 'emit connected session1', 'writable']);
    expect(state.phase).toBe('streaming');
  });

  test('passes finals on', () => {
    expect(play(opened, connected, say(finalMessage('a', 1, 2))).effects).toEqual(['emit final 1-2']);
  });

  test('sends EOS when all is sent, and waits for finals and the close', () => {
    const events = [opened, connected, sent(0, RATE), flushed];
    expect(play(...events).effects).toEqual(['sendEnd', 'start final 5', 'status draining']);
    expect(takesAudio(play(...events).state)).toBe(false);
    events.push(say(finalMessage('a', 1, 2)));
    expect(play(...events).effects).toEqual(['start final 5', 'emit final 1-2']);
    events.push(close(1000, CLOSE.endOfInput.reason));
    expect(play(...events).effects).toEqual(['status closed 1000', 'complete']);
  });

  test('sends EOS once', () => {
    expect(play(opened, connected, flushed, flushed).effects).toEqual([]);
  });

  test('waits for a recogniser also after EOS, and only then for finals', () => {
    expect(play(opened, flushed).effects).toEqual(['sendEnd', 'status draining']);
    expect(play(opened, flushed, connected).effects).toEqual([
      'stop ready',
      'start final 5',
      'status connected',
      'emit connected session1',
      'writable',
    ]);
    expect(play(opened, flushed, connected).state.phase).toBe('draining');
  });

  test('goes on without connected when words come', () => {
    const { state, effects } = play(opened, say(finalMessage('a', 1, 2)));
    expect(effects).toEqual(['stop ready', 'emit final 1-2', 'writable']);
    expect(state.phase).toBe('streaming');
    expect(next(state, connected).effects.map(show)).toEqual(['status connected', 'emit connected session1']);
  });

  test('gives times on the clock of the source, also where that jumps', () => {
    const words = say(finalMessage('a', 1.5, 2));
    expect(play(opened, connected, sent(0, RATE), sent(RATE, RATE), words).effects).toEqual([
      'emit final 1.5-2',
    ]);
    expect(play(opened, connected, sent(0, RATE), sent(3 * RATE, RATE), words).effects).toEqual([
      'emit final 3.5-4',
    ]);
    expect(play(opened, connected, sent(RATE, 2 * RATE), words).effects).toEqual(['emit final 2.5-3']);
  });

  test.each([
    ['malformed JSON', '{"type":', 'malformed-message'],
    ['fields of the wrong shape', { type: 'final', ts: 'x' }, 'malformed-message'],
    ['JSON that is no object', '7', 'malformed-message'],
    ['an unknown type', { type: 'hello' }, 'unknown-message'],
    ['connected again', connectedMessage, 'repeated-connected'],
  ])('warns of %s and goes on', (_, message, code) => {
    const { state, effects } = play(opened, connected, say(message));
    expect(effects).toEqual([`status warning ${code}`]);
    expect(takesAudio(state)).toBe(true);
  });

  test('warns of a binary frame and goes on', () => {
    expect(play(opened, connected, { type: 'binary' }).effects).toEqual(['status warning binary-message']);
  });

  test('warns of a final that ends before it starts, and keeps it', () => {
    expect(play(opened, connected, say(finalMessage('a', 2, 1))).effects).toEqual([
      'status warning corrected-final',
      'emit final 2-2.01',
    ]);
  });
});

describe('a peer', () => {
  test('is asked in turn', () => {
    expect(play(opened, timeout('ping')).effects).toEqual(['ping', 'start pong 4']);
    expect(play(opened, timeout('ping'), pong).effects).toEqual([
      'stop pong',
      'start ping 3',
      'read 0',
      'writable',
    ]);
  });

  test('may read the audio before the ping first', () => {
    expect(play(opened, sent(0, RATE), timeout('ping')).effects).toEqual(['ping', 'start pong 1004']);
    const answered = [opened, sent(0, RATE), timeout('ping'), sent(RATE, RATE), pong];
    expect(play(...answered, timeout('ping')).effects).toEqual(['ping', 'start pong 1004']);
  });

  test('has less time for that before it is connected', () => {
    expect(play(opened, sent(0, 100 * RATE), timeout('ping')).effects).toEqual(['ping', 'start pong 5004']);
    expect(play(opened, connected, sent(0, 100 * RATE), timeout('ping')).effects).toEqual([
      'ping',
      'start pong 100004',
    ]);
  });

  test.each([[[opened]], [[opened, connected]]])('is dead when nothing comes', before => {
    const { state, effects } = play(...before, timeout('ping'), timeout('pong'), timeout('pong'));
    expect(effects).toEqual(['fail ConnectionLostError']);
    expect(state.phase).toBe('closed');
  });

  test('is not dead while messages come', () => {
    const talking = [opened, connected, timeout('ping'), say(finalMessage('a', 1, 2)), timeout('pong')];
    expect(play(...talking).effects).toEqual(['start pong 4']);
    expect(play(...talking, timeout('pong'), timeout('pong')).effects).toContain('fail ConnectionLostError');
  });

  test('has a moment more when time is up: an answer may wait in a socket that was not read', () => {
    const late = [opened, connected, timeout('ping'), timeout('pong')];
    expect(play(...late).effects).toEqual(['start pong 50']);
    expect(play(...late, pong).state.phase).toBe('streaming');
    // Each ping has a moment of its own.
    expect(play(...late, pong, timeout('ping'), timeout('pong')).effects).toEqual(['start pong 50']);
  });
});

describe('words that stand', () => {
  const partial = say({ type: 'partial', ts: 0, end_ts: 1, elements: [{ type: 'text', value: 'a' }] });
  const taken = say({ type: 'partial', ts: 0, end_ts: 1, elements: [] });
  /** The service has read so many seconds more, and says so. */
  const reads = (seconds: number) => [sent(0, seconds * RATE), timeout('ping'), pong];

  test('are waited for', () => {
    expect(play(opened, connected, partial).effects).toEqual(['start stall 6', 'emit partial 0-1']);
    expect(play(opened, connected, partial, say(finalMessage('a', 1, 2))).effects[0]).toBe('stop stall');
    expect(play(opened, connected, partial, taken).effects[0]).toBe('stop stall');
  });

  test('may take as long as a segment of audio', () => {
    expect(play(opened, connected, partial, timeout('stall')).effects).toEqual(['start stall 6']);
    expect(play(opened, connected, partial, ...reads(30), timeout('stall')).effects).toEqual([
      'start stall 6',
    ]);
  });

  test('may take longer while the service has not read the audio', () => {
    const unread = [opened, connected, partial, sent(0, 100 * RATE), timeout('ping'), timeout('stall')];
    expect(play(...unread).effects).toEqual(['start stall 6']);
  });

  test('for ever are those of a service that is dead, whatever it answers', () => {
    expect(play(opened, connected, partial, ...reads(31), timeout('stall')).effects).toEqual([
      'fail StreamTimeoutError',
    ]);
  });
});

describe('silence that the source does not have', () => {
  test('moves the clock of the service, not that of the source', () => {
    const padded: SessionEvent = { type: 'padded', frames: 5 * RATE };
    const events = [opened, connected, sent(0, RATE), padded, sent(RATE, RATE)];
    expect(play(...events, say(finalMessage('a', 0, 1))).effects).toEqual(['emit final 0-1']);
    expect(play(...events, say(finalMessage('a', 6.2, 6.9))).effects).toEqual(['emit final 1.2-1.9']);
  });
});

describe('a session fails', () => {
  const isFailure = (error: new (...args: never[]) => Error) => [`fail ${error.name}`];

  test.each([
    ['the handshake takes too long', [], 'connect'],
    ['connected does not come', [opened], 'ready'],
    ['connected does not come after EOS', [opened, flushed], 'ready'],
    ['the last final does not come', [opened, connected, flushed], 'final'],
  ] as const)('when %s', (_, events, timer) => {
    expect(play(...events, timeout(timer)).effects).toEqual(isFailure(StreamTimeoutError));
  });

  test('when it is closed with a code of the table', () => {
    expect(play(opened, close(4001, 'Unauthorized')).effects).toEqual([
      'status closed 4001',
      ...isFailure(UnauthorizedError),
    ]);
  });

  test('when it is closed as idle, also after EOS', () => {
    const idle = close(CLOSE.idle.code, CLOSE.idle.reason);
    expect(play(opened, connected, idle).effects).toContain(`fail ${IdleError.name}`);
    expect(play(opened, connected, flushed, idle).effects).toContain(`fail ${IdleError.name}`);
  });

  test('when it is closed as ended before EOS', () => {
    expect(play(opened, connected, close(1000, CLOSE.endOfInput.reason)).effects).toContain(
      `fail ${ConnectionLostError.name}`,
    );
  });

  test('when the connection breaks after EOS', () => {
    expect(play(opened, connected, flushed, close(1006)).effects).toContain(
      `fail ${ConnectionLostError.name}`,
    );
  });

  test('when there is no connection, without saying that it was closed', () => {
    const event: SessionEvent = { type: 'closed', close: { opened: false, code: 1006, reason: '' } };
    expect(play(event).effects).toEqual(isFailure(UnreachableError));
  });

  test('with the error of its own side', () => {
    const error = new RangeError('of the source');
    const failed: SessionEvent = { type: 'failed', error };
    expect(play(opened, failed).effects).toEqual(isFailure(RangeError));
  });
});

describe('a closed session', () => {
  const all: readonly SessionEvent[] = [
    opened,
    connected,
    sent(0, 1),
    flushed,
    pong,
    timeout('ping'),
    timeout('final'),
    close(1006),
    { type: 'failed', error: new Error('late') },
    { type: 'stopped' },
  ];

  test('does nothing more, whatever comes', () => {
    for (const event of all) {
      expect(play(opened, { type: 'stopped' }, event)).toMatchObject({
        effects: [],
        state: { phase: 'closed' },
      });
    }
    expect(all.length).toBeGreaterThan(0);
  });

  test('says that it was stopped', () => {
    expect(play(opened, { type: 'stopped' }).effects).toEqual(['status closed 1000', 'complete']);
  });
});

test('the defaults leave a service twice the longest segment for its last final', () => {
  expect(STREAM_DEFAULTS.finalTimeoutMs).toBeGreaterThanOrEqual(2 * 30_000);
});
