import { describe, expect, test } from 'vitest';
import { ConnectionLostError, UnauthorizedError } from '../../../../src/client/serviceErrors.ts';
import type { StreamEffect } from '../../../../src/client/stream/machine/model.ts';
import type { TranscribeOptions } from '../../../../src/client/stream/options.ts';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import { PlayedStream, RATE } from '../../../helpers/playedStream.ts';
import { connectedMessage, finalMessage } from '../../../helpers/streamService.ts';

const lost = new ConnectionLostError('connection-lost', 'lost', { advice: '', retry: true });
const retry = { type: 'timeout', timer: 'retry' } as const;
const rollOver = { type: 'timeout', timer: 'rollOver' } as const;
const goodEnd = { opened: true, ...CLOSE.endOfInput };

/** A service that plays its part. */
class Played extends PlayedStream {
  /** Connects anew where there is no link, and is ready. */
  connect(link?: number): readonly string[] {
    if (!this.state.current) this.put(retry);
    const id = link ?? this.link;
    this.put({ type: 'opened', link: id });
    return this.put({ type: 'text', text: JSON.stringify(connectedMessage), link: id });
  }

  final(ts: number, endTs: number, link = this.link): readonly string[] {
    return this.put({ type: 'text', text: JSON.stringify(finalMessage('word', ts, endTs)), link });
  }

  break(link = this.link): readonly string[] {
    return this.put({ type: 'failed', error: lost, link });
  }

  /** The link that was opened by the last event. */
  get opened() {
    return this.effects.find(
      (one): one is Extract<StreamEffect, { type: 'connect' }> => one.type === 'connect',
    )?.link;
  }
}

/** A stream that is connected and has sent so many seconds. */
function streaming(seconds: number, options: Partial<TranscribeOptions> = {}): Played {
  const played = new Played({ resume: { giveUpAfterSeconds: 60 }, ...options });
  played.connect();
  if (seconds > 0) played.audio(seconds * RATE);
  return played;
}

describe('an outage', () => {
  test('that is too long ends the stream, although services say that they are connected', () => {
    const played = streaming(0);
    for (let second = 0; second < 60; second++) {
      expect(played.break()).toContain('status reconnecting');
      played.clock.advance(1000);
      played.connect();
    }
    expect(played.break().at(-1)).toBe('end ConnectionLostError');
  });

  test('is over when something is settled', () => {
    const played = streaming(1);
    played.break();
    played.clock.advance(59_000);
    played.connect();
    played.final(0, 0.5);
    played.clock.advance(2000);
    expect(played.break()).toContain('status reconnecting');
  });

  test('is not over because a connection holds', () => {
    const played = streaming(0);
    played.break();
    played.connect();
    played.clock.advance(60_000);
    expect(played.break().at(-1)).toBe('end ConnectionLostError');
  });

  test('ends the stream at once where no reconnection is wanted', () => {
    expect(streaming(0, { resume: false }).break().at(-1)).toBe('end ConnectionLostError');
  });
});

describe('after a break', () => {
  test('the next link begins at the end of the last final, at the next address', () => {
    const played = streaming(2, { url: ['ws://one', 'ws://two'] });
    played.final(0, 0.5);
    played.break();
    played.put(retry);
    expect(played.opened).toMatchObject({ id: 2, originFrame: RATE / 2 });
    expect(played.state.services.place).toBe('first');
    expect(played.opened?.service.address.host).toBe('two');
  });

  test('audio that was dropped meanwhile is a hole and is not sent again', () => {
    const played = streaming(3, { maxBufferedSeconds: 4, overflow: 'dropOldest' });
    expect(played.audio(2 * RATE)).toEqual(['release', `send ${3 * RATE}-${5 * RATE}`]);
    expect(played.break()).toEqual(expect.arrayContaining(['status warning dropped-audio', 'emit hole 0-2']));
    played.put(retry);
    expect(played.opened).toMatchObject({ id: 2, originFrame: 2 * RATE });
  });

  test('events of the link that broke are ignored', () => {
    const played = streaming(1);
    const old = played.link;
    played.break();
    played.connect();
    expect(played.final(0, 1, old)).toEqual([]);
  });
});

describe('a final while no audio is sent', () => {
  const quiet = () => {
    const played = streaming(1);
    played.clock.advance(500);
    expect(played.final(0, 0.5)).toEqual(['stop ping', 'ping', 'start pong 11000']);
    return played;
  };

  test('counts once the service answers a ping', () => {
    const played = quiet();
    expect(played.put({ type: 'pong', link: 1 })).toContain('emit final 0-0.5');
  });

  test('is cut off when the service closes because it is idle: all of its audio is sent again', () => {
    const played = quiet();
    const close = { opened: true, ...CLOSE.idle };
    expect(played.put({ type: 'closed', close, link: 1 })).not.toContain('emit final 0-0.5');
    played.connect(2);
    expect(played.state.current).toMatchObject({ startFrame: 0, sentFrame: RATE });
  });

  test('counts when another failure follows', () => {
    const played = quiet();
    expect(played.break()).toContain('emit final 0-0.5');
  });
});

describe('a roll-over', () => {
  test('takes place at the first final after the successor is connected', () => {
    const played = streaming(2);
    expect(played.put(rollOver)).toEqual(['start connect 10000', 'connect']);
    expect(played.final(0, 0.5)).toContain('settled');
    played.connect(2);
    expect(played.link).toBe(1);
    expect(played.final(0.5, 1)).toContain('sendEnd');
    expect(played.link).toBe(2);
    expect(played.state.leaving).toMatchObject([{ id: 1, phase: { type: 'draining' } }]);
    expect(played.effects).toContainEqual(expect.objectContaining({ type: 'send', link: 2 }));
  });

  test('takes place when the first link breaks, without a wait', () => {
    const played = streaming(1);
    played.put(rollOver);
    expect(played.break()).not.toContain('status reconnecting');
    expect(played.link).toBe(2);
  });

  test('comes after the age of a session, which counts from its connection', () => {
    const played = streaming(2, { sessionSeconds: 100 });
    played.put(rollOver);
    played.connect(2);
    played.clock.advance(7000);
    played.final(0, 0.5);
    expect(played.put({ type: 'pong', link: 1 })).toContain('start rollOver 93000');
  });

  test.each([
    ['the end of the audio', (played: Played) => played.put({ type: 'finish' })],
    ['a change of the query', (played: Played) => played.put({ type: 'query', change: { language: 'fr' } })],
  ])('is given up at %s', (_, end) => {
    const played = streaming(2);
    played.put(rollOver);
    played.connect(2);
    end(played);
    expect(played.effects).toContainEqual({ type: 'disconnect', link: 2 });
    expect(played.effects).toContainEqual({ type: 'timer', timer: 'rollOver', delayMs: undefined });
    expect(played.final(0, 1)).not.toContain('connect');
    expect(played.link).toBe(1);
  });

  test('is tried again later when there is no second link', () => {
    const played = streaming(1);
    played.put(rollOver);
    expect(played.break(2)).toEqual(['disconnect', 'start rollOver 30000']);
    expect(played.link).toBe(1);
    expect(played.put(rollOver)).toContain('connect');
  });
});

test('a refused change of the query does not take later changes with it', () => {
  const played = streaming(1);
  played.put({ type: 'query', change: { language: 'xx' } });
  played.audio(RATE);
  played.put({ type: 'query', change: { filterProfanity: true } });
  played.audio(RATE);
  played.put({ type: 'closed', close: goodEnd, link: 1 });
  expect(played.state.current?.service.query).toEqual({ language: 'xx' });
  const refusal = new UnauthorizedError('unauthorized', 'refused', { advice: '', retry: false });
  played.put({ type: 'failed', error: refusal, link: 2 });
  expect(played.state.current?.service.query).toEqual({});
  expect(played.state.nextQueries).toEqual([{ startFrame: 2 * RATE, query: { filterProfanity: true } }]);
  const queries = played.state.holes.queries.slice(-2).map(({ query }) => query);
  expect(queries).toEqual([{}, { filterProfanity: true }]);
});

test('a change of the query changes the time until a recogniser is ready', () => {
  const played = streaming(0);
  expect(played.state.current?.timeouts.readyTimeoutMs).toBe(60_000);
  played.put({ type: 'query', change: { maxConnectionWaitSeconds: 600 } });
  played.audio(RATE);
  expect(played.state.current?.timeouts.readyTimeoutMs).toBe(610_000);
});

describe('an idle source', () => {
  const look = { type: 'timeout', timer: 'idle' } as const;

  test('has silence sent over its link', () => {
    const played = streaming(1);
    expect(played.put(look)).toEqual(['start idle 5000']);
    played.put(look);
    expect(played.effects).toContainEqual({ type: 'pad', link: 1, frames: RATE });
    played.put(look);
    expect(played.effects).toContainEqual({ type: 'pad', link: 1, frames: RATE / 10 });
  });

  test('closes its link with `idle: close`, and opens another with its next audio', () => {
    const played = streaming(1, { idle: 'close' });
    played.put(look);
    expect(played.put(look)).toContain('sendEnd');
    expect(played.put({ type: 'closed', close: goodEnd, link: 1 })).toContain('emit silence 0-1');
    expect(played.state.current).toBeUndefined();
    expect(played.audio(RATE)).toContain('connect');
  });
});

describe('the end of a source', () => {
  test('drains the link, and ends the stream after it', () => {
    const played = streaming(1);
    expect(played.put({ type: 'finish' })).toContain('sendEnd');
    expect(played.put({ type: 'closed', close: goodEnd, link: 1 }).slice(-2)).toEqual([
      'stop',
      'awaitRepairs',
    ]);
    expect(played.put({ type: 'repaired' })).toEqual(['end complete']);
  });

  test('during an outage waits for the next link', () => {
    const played = streaming(1);
    played.break();
    expect(played.put({ type: 'finish' })).toEqual(['finished']);
    expect(played.put(retry)).toContain('connect');
    played.put({ type: 'opened', link: 2 });
    expect(played.effects).toContainEqual({ type: 'sendEnd', link: 2 });
  });
});

test.for([
  ['a source without gaps', 1, 0],
  ['a source with a gap before each block', 5, 1],
] as const)('a backlog of %s goes out in a burst, and then at twice real time', ([, blocks, gapFrames]) => {
  const played = streaming(0);
  const giveTenth = () => {
    played.clock.advance(100);
    for (let block = 0; block < blocks; block++) played.audio(RATE / 10 / blocks - gapFrames, gapFrames);
  };
  played.break();
  for (let tenth = 0; tenth < 100; tenth++) giveTenth();
  played.connect();
  const lags = [lagOf(played)];
  for (let tenth = 1; tenth <= 100; tenth++) {
    giveTenth();
    played.put({ type: 'timeout', timer: 'pace' });
    if (tenth % 10 === 0) lags.push(lagOf(played));
  }
  for (const [second, lag] of lags.entries()) {
    expect(Math.abs(lag - Math.max(0, 5 - second))).toBeLessThan(0.5);
  }
});

function lagOf({ headFrame, state }: PlayedStream): number {
  return (headFrame - (state.current?.sentFrame ?? 0)) / RATE;
}

describe('a deaf service is left', () => {
  const deafCheck = { type: 'timeout', timer: 'deaf' } as const;

  /** The source gives sound for so many seconds; says after which of them the service changed. */
  function changeWithin(played: Played, seconds: number): number | undefined {
    for (let second = 1; second <= seconds; second++) {
      played.clock.advance(1000);
      played.audio(RATE);
      if (played.put(deafCheck).includes('status switched')) return second;
    }
    return undefined;
  }

  test('after 8 s of sound without words, and again only when words have come since', () => {
    const played = streaming(1, { standby: { url: 'ws://other', token: 'other' } });
    played.final(0, 1);
    expect(changeWithin(played, 10)).toBe(8);
    played.connect();
    expect(changeWithin(played, 30)).toBeUndefined();
  });

  test('but not while it works at a backlog', () => {
    const played = streaming(1, { standby: { url: 'ws://other', token: 'other' } });
    played.final(0, 1);
    expect(changeWithin(played, 10)).toBe(8);
    played.connect();
    // The first words of the 8 s that come at once.
    played.final(1, 1.5);
    expect(changeWithin(played, 7)).toBeUndefined();
    expect(changeWithin(played, 2)).toBe(1);
  });
});
