import { describe, expect, test } from 'vitest';
import {
  ConnectionLostError,
  IdleError,
  StreamTimeoutError,
  UnauthorizedError,
  UnreachableError,
} from '../../../../src/client/serviceErrors.ts';
import type { LinkTimer } from '../../../../src/client/stream/machine/model.ts';
import { STREAM_DEFAULTS } from '../../../../src/client/stream/options.ts';
import type { SocketEvent } from '../../../../src/client/stream/platform.ts';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import { PlayedStream, RATE } from '../../../helpers/playedStream.ts';
import { connectedMessage, finalMessage } from '../../../helpers/streamService.ts';

const TIMEOUTS = {
  connectTimeoutMs: 1,
  readyTimeoutMs: 2,
  pingIntervalMs: 3,
  pongTimeoutMs: 4,
  finalTimeoutMs: 5,
  stallTimeoutMs: 6,
};

/** An event of the only link, or of the source. */
type Played =
  | SocketEvent
  | { readonly type: 'expired'; readonly timer: LinkTimer }
  | { readonly type: 'sent'; readonly frames: number; readonly gapFrames?: number }
  | { readonly type: 'finish' }
  | { readonly type: 'close' };

const opened: Played = { type: 'opened' };
const finished: Played = { type: 'finish' };
const pong: Played = { type: 'pong' };
const connected = say(connectedMessage);
const sent = (frames: number, gapFrames = 0): Played => ({ type: 'sent', frames, gapFrames });
const expired = (timer: LinkTimer): Played => ({ type: 'expired', timer });
const close = (code: number, reason = ''): Played => ({
  type: 'closed',
  close: { opened: true, code, reason },
});

function say(message: unknown): Played {
  return { type: 'text', text: typeof message === 'string' ? message : JSON.stringify(message) };
}

/** A stream without reconnections after events, and the effects of the last one. */
function play(...events: readonly Played[]) {
  const stream = new PlayedStream({ ...TIMEOUTS, resume: false });
  let effects: readonly string[] = [];
  for (const event of events) {
    if (event.type === 'sent') effects = stream.audio(event.frames, event.gapFrames);
    else if (event.type === 'finish' || event.type === 'close') effects = stream.put(event);
    else effects = stream.put({ ...event, link: 1 });
  }
  return { stream, link: stream.state.current, effects };
}

/** The end of a stream whose only link has failed. */
const failedWith = (error: new (...args: never[]) => Error) => `end ${error.name}`;

describe('a link', () => {
  test('is opened within a time', () => {
    const { link } = play();
    expect(link?.phase.type).toBe('connecting');
    expect(new PlayedStream(TIMEOUTS).effects.at(-1)).toMatchObject({ type: 'connect', link: { id: 1 } });
    expect(play(expired('connect')).effects.at(-1)).toBe(failedWith(StreamTimeoutError));
  });

  test('takes audio as soon as the socket is open, before connected', () => {
    expect(play(opened).effects).toEqual(['stop connect', 'start ready 2', 'start ping 3', 'status open']);
    expect(play(opened, sent(RATE)).effects).toEqual([`send 0-${RATE}`]);
  });

  test('streams once it is connected', () => {
    const { link, effects } = play(opened, connected);
    expect(effects).toEqual(['stop ready', 'status connected', 'emit connected session1']);
    expect(link?.phase.type).toBe('streaming');
  });

  test('takes 64 KiB before it is connected, 8 KiB more with each answer, and then the rest', () => {
    const ahead = [opened, sent(100 * RATE)];
    expect(play(...ahead).effects).toEqual(['send 0-32768', 'hold']);
    expect(play(...ahead, expired('ping'), pong).effects).toContain('send 32768-36864');
    expect(play(...ahead, connected).effects).toContain(`send 1474560-${100 * RATE}`);
  });

  test('passes finals on', () => {
    const words = say(finalMessage('a', 0.5, 1));
    expect(play(opened, connected, sent(RATE), words).effects).toEqual([
      'emit silence 0-0.5',
      'emit final 0.5-1',
      'settled',
    ]);
  });

  test('sends EOS when all is sent, and waits for finals and the close', () => {
    const events = [opened, connected, sent(RATE), finished];
    expect(play(...events).effects).toEqual([
      'finished',
      'stop rollOver',
      'sendEnd',
      'start final 5',
      'status draining',
    ]);
    events.push(say(finalMessage('a', 0, 1)));
    expect(play(...events).effects).toEqual(['start final 5', 'emit final 0-1', 'settled']);
    events.push(close(1000, CLOSE.endOfInput.reason));
    expect(play(...events).effects).toEqual([
      'status closed 1000',
      'disconnect',
      'stop rollOver',
      'stop',
      'awaitRepairs',
    ]);
  });

  test('waits for a recogniser also after EOS, and only then for finals', () => {
    const events = [opened, sent(RATE), finished];
    expect(play(...events).effects).toEqual(['finished', 'stop rollOver', 'sendEnd', 'status draining']);
    const { link, effects } = play(...events, connected);
    expect(effects).toEqual(['stop ready', 'start final 5', 'status connected', 'emit connected session1']);
    expect(link?.phase.type).toBe('draining');
    expect(play(...events, expired('ready')).effects.at(-1)).toBe(failedWith(StreamTimeoutError));
  });

  test('goes on without connected when words come', () => {
    const { stream, link, effects } = play(opened, sent(RATE), say(finalMessage('a', 0, 1)));
    expect(effects).toEqual(['stop ready', 'emit final 0-1', 'settled']);
    expect(link?.phase.type).toBe('streaming');
    expect(stream.put({ ...(connected as SocketEvent), link: 1 })).toEqual([
      'status connected',
      'emit connected session1',
    ]);
  });

  test.for([
    ['words', [say(finalMessage('a', 0, 1))]],
    ['its good end', []],
  ] as const)('ends the stream after %s without connected', ([, words]) => {
    const { effects } = play(opened, sent(RATE), ...words, finished, close(1000, CLOSE.endOfInput.reason));
    expect(effects.slice(-2)).toEqual(['stop', 'awaitRepairs']);
  });

  test('gives times on the clock of the source, also where that jumps', () => {
    const words = say(finalMessage('a', 1.5, 2));
    const start = [opened, connected];
    expect(play(...start, sent(RATE), sent(RATE), words).effects).toContain('emit final 1.5-2');
    expect(play(...start, sent(RATE), sent(RATE, 2 * RATE), words).effects).toContain('emit final 3.5-4');
    expect(play(...start, sent(2 * RATE, RATE), words).effects).toContain('emit final 2.5-3');
  });

  test.each([
    ['malformed JSON', '{"type":', 'malformed-message'],
    ['fields of the wrong shape', { type: 'final', ts: 'x' }, 'malformed-message'],
    ['JSON that is no object', '7', 'malformed-message'],
    ['an unknown type', { type: 'hello' }, 'unknown-message'],
    ['connected again', connectedMessage, 'repeated-connected'],
  ])('warns of %s and goes on', (_, message, code) => {
    const { link, effects } = play(opened, connected, say(message));
    expect(effects).toEqual([`status warning ${code}`]);
    expect(link?.phase.type).toBe('streaming');
  });

  test('warns of a binary frame and goes on', () => {
    expect(play(opened, connected, { type: 'binary' }).effects).toEqual(['status warning binary-message']);
  });

  test('warns of a final that ends before it starts, and keeps it', () => {
    const { effects } = play(opened, connected, sent(3 * RATE), say(finalMessage('a', 2, 1)));
    expect(effects[0]).toBe('status warning corrected-final');
    expect(effects).toContain('emit final 2-2.01');
  });
});

describe('the pings to a service', () => {
  test('alternate with its pongs', () => {
    expect(play(opened, expired('ping')).effects).toEqual(['ping', 'start pong 4']);
    expect(play(opened, expired('ping'), pong).effects).toEqual(['stop pong', 'start ping 3']);
  });

  test('leave it time to read the audio before the ping', () => {
    expect(play(opened, sent(RATE), expired('ping')).effects).toEqual(['ping', 'start pong 1004']);
    const answered = [opened, sent(RATE), expired('ping'), sent(RATE), pong];
    expect(play(...answered, expired('ping')).effects).toEqual(['ping', 'start pong 1004']);
    const long = [opened, connected, sent(100 * RATE), expired('ping')];
    expect(play(...long).effects).toEqual(['ping', 'start pong 100004']);
  });

  test('end the link when no message comes', () => {
    for (const before of [[opened], [opened, connected]]) {
      const { stream, effects } = play(...before, expired('ping'), expired('pong'), expired('pong'));
      expect(effects.at(-1)).toBe(failedWith(ConnectionLostError));
      expect(stream.state.phase.type).toBe('ended');
    }
  });

  test('keep the link while messages come', () => {
    const message = say(finalMessage('a', 0, 1));
    const talking = [opened, connected, sent(RATE), expired('ping'), message, expired('pong')];
    expect(play(...talking).effects).toEqual(['start pong 4']);
    const silent = play(...talking, expired('pong'), expired('pong'));
    expect(silent.effects.at(-1)).toBe(failedWith(ConnectionLostError));
  });

  test('leave a grace period for an answer that waits in an unread socket', () => {
    const late = [opened, connected, expired('ping'), expired('pong')];
    expect(play(...late).effects).toEqual(['start pong 50']);
    expect(play(...late, pong).link?.phase.type).toBe('streaming');
    // Each ping has a moment of its own.
    expect(play(...late, pong, expired('ping'), expired('pong')).effects).toEqual(['start pong 50']);
  });
});

describe('words that are not final', () => {
  const partial = say({ type: 'partial', ts: 0, end_ts: 1, elements: [{ type: 'text', value: 'a' }] });
  const taken = say({ type: 'partial', ts: 0, end_ts: 1, elements: [] });
  const heard = [opened, connected, sent(RATE), partial];
  /** The service reads so many seconds more, and answers a ping after them. */
  const reads = (seconds: number) => [sent(seconds * RATE), expired('ping'), pong];

  test('start the timeout of a stall', () => {
    expect(play(...heard).effects).toEqual(['start stall 6', 'emit partial 0-1']);
    expect(play(...heard, say(finalMessage('a', 0, 1))).effects[0]).toBe('stop stall');
    expect(play(...heard, taken).effects[0]).toBe('stop stall');
  });

  test('may stay as long as a segment of audio', () => {
    expect(play(...heard, expired('stall')).effects).toEqual(['start stall 6']);
    expect(play(...heard, ...reads(30), expired('stall')).effects).toEqual(['start stall 6']);
  });

  test('may stay longer while the service has not read the audio', () => {
    const unread = [...heard, sent(100 * RATE), expired('ping'), expired('stall')];
    expect(play(...unread).effects).toEqual(['start stall 6']);
  });

  test('end the link when they stay, also when pings are answered', () => {
    const { effects } = play(...heard, ...reads(31), expired('stall'));
    expect(effects.at(-1)).toBe(failedWith(StreamTimeoutError));
  });
});

describe('a link fails', () => {
  test.each([
    ['the handshake takes too long', [], 'connect'],
    ['connected does not come', [opened], 'ready'],
    ['the last final does not come', [opened, connected, sent(RATE), finished], 'final'],
  ] as const)('when %s', (_, events, timer) => {
    expect(play(...events, expired(timer)).effects.at(-1)).toBe(failedWith(StreamTimeoutError));
  });

  test('when it is closed with a code of the table', () => {
    const { effects } = play(opened, close(4001, 'Unauthorized'));
    expect(effects[0]).toBe('status closed 4001');
    expect(effects.at(-1)).toBe(failedWith(UnauthorizedError));
  });

  test('when it is closed as idle, also after EOS', () => {
    const idle = close(CLOSE.idle.code, CLOSE.idle.reason);
    expect(play(opened, connected, idle).effects.at(-1)).toBe(failedWith(IdleError));
    expect(play(opened, connected, sent(RATE), finished, idle).effects.at(-1)).toBe(failedWith(IdleError));
  });

  test('when it is closed as ended before EOS', () => {
    const { effects } = play(opened, connected, close(1000, CLOSE.endOfInput.reason));
    expect(effects.at(-1)).toBe(failedWith(ConnectionLostError));
  });

  test('when the connection breaks after EOS', () => {
    const { effects } = play(opened, connected, sent(RATE), finished, close(1006));
    expect(effects.at(-1)).toBe(failedWith(ConnectionLostError));
  });

  test('without a status about its close when there was no connection', () => {
    const { effects } = play({ type: 'closed', close: { opened: false, code: 1006, reason: '' } });
    expect(effects.some(effect => effect.startsWith('status closed'))).toBe(false);
    expect(effects.at(-1)).toBe(failedWith(UnreachableError));
  });

  test('when it cannot be opened', () => {
    const failed: Played = { type: 'failed', error: new RangeError('of the token') };
    expect(play(failed).effects.at(-1)).toBe(failedWith(RangeError));
  });
});

test('a stream that has ended does nothing more, whatever comes', () => {
  const all = [opened, connected, sent(1), finished, pong, expired('ping'), expired('final'), close(1006)];
  for (const event of all) {
    const { stream, effects } = play(opened, { type: 'close' }, event);
    expect(effects).toEqual([]);
    expect(stream.state.phase.type).toBe('ended');
  }
  expect(play(opened, { type: 'close' }).effects).toEqual(['status closed 1000', 'stop', 'end left']);
});

test('the defaults leave a service twice the longest segment for its last final', () => {
  expect(STREAM_DEFAULTS.finalTimeoutMs).toBeGreaterThanOrEqual(2 * 30_000);
});
