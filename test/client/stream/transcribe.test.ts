import fc from 'fast-check';
import {
  concat,
  EMPTY,
  firstValueFrom,
  from,
  lastValueFrom,
  NEVER,
  Observable,
  of,
  retry,
  Subject,
  takeUntil,
  throwError,
  toArray,
} from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { encodePcm } from '../../../src/audio/pcm/pcm.ts';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import { createClient } from '../../../src/client/jobs/createClient.ts';
import { live } from '../../../src/client/live.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { CLOSE } from '../../../src/protocol/closeCodes.ts';
import { parseStreamQuery } from '../../../src/protocol/streamQuery.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { blockAt, blocksOf, TEST_RATE } from '../../helpers/streamBlocks.ts';
import { streamRun } from '../../helpers/streamRun.ts';
import {
  closeAtEnd,
  connectedMessage,
  finalMessage,
  polite,
  startStreamService,
} from '../../helpers/streamService.ts';

const bytesOf = (blocks: readonly AudioBlock[]) =>
  Buffer.concat(blocks.map(block => encodePcm(block.samples, 'S16LE')));

describe('a stream to a service', () => {
  test('gives its events and completes', async () => {
    await using service = await startStreamService();
    const blocks = blocksOf(10, 1600);
    const run = streamRun(from(blocks), { url: service.url });
    expect(await run.end).toBeUndefined();
    expect(run.said.map(event => event.type)).toEqual(['connected', 'final']);
    expect(service.peers[0]!.audio.equals(bytesOf(blocks))).toBe(true);
    expect(service.peers[0]!.texts).toEqual(['EOS']);
    expect(run.statusTypes).toEqual(['connecting', 'open', 'draining', 'connected', 'closed']);
    expect(run.statuses.at(-1)).toEqual({ type: 'closed', code: 1000, reason: CLOSE.endOfInput.reason });
  });

  test('sends a query from the options and the first block', async () => {
    await using service = await startStreamService();
    const options = { metadata: 'a + b', language: 'en', detailedPartials: true, startTs: 1.5 };
    const run = streamRun(of(blockAt(0, 160)), {
      url: `${service.url}/`,
      token: 'to+ken',
      sampleFormat: 'MULAW',
      ...options,
    });
    expect(await run.end).toBeUndefined();
    const [peer] = service.peers;
    expect(peer!.path).toBe('/speechtotext/v1/stream');
    expect(peer!.query.get('access_token')).toBe('to+ken');
    const format = { sampleFormat: 'MULAW', sampleRate: TEST_RATE, channels: 1 };
    expect(parseStreamQuery(peer!.query)).toEqual({
      ...options,
      contentType: { kind: 'raw', layout: 'interleaved', format },
    });
    expect(peer!.audio).toHaveLength(160);
  });

  test('offers no compression: it costs more than it saves', async () => {
    await using service = await startStreamService();
    expect(await streamRun(of(blockAt(0, 160)), { url: service.url }).end).toBeUndefined();
    expect(service.peers[0]!.headers['sec-websocket-extensions']).toBeUndefined();
  });

  test('shows no token in its status', async () => {
    await using service = await startStreamService(peer => peer.close(CLOSE.unauthorized));
    const run = streamRun(of(blockAt(0, 160)), { url: service.url, token: 'very-secret' });
    const error = (await run.end) as Error;
    expect(JSON.stringify(run.statuses) + error.message + error.stack).not.toContain('secret');
    expect(run.statuses[0]).toEqual({
      type: 'connecting',
      address: `${service.url.replace('http', 'ws')}/speechtotext/v1/stream`,
    });
  });

  test('sends each block at once, before connected', async () => {
    await using service = await startStreamService(() => {});
    const source = new Subject<AudioBlock>();
    const run = streamRun(source, { url: service.url });
    source.next(blockAt(0, 160));
    await run.until('open');
    const [peer] = service.peers;
    await peer!.bytes(320);
    source.next(blockAt(160, 80));
    await peer!.bytes(480);
    expect(peer!.frames.map(frame => frame.length)).toEqual([320, 160]);
    run.subscription.unsubscribe();
  });

  test('keeps audio that comes before the connection', async () => {
    await using service = await startStreamService();
    const { promise: token, resolve } = Promise.withResolvers<string>();
    const blocks = blocksOf(50, 1600);
    const run = streamRun(from(blocks), { url: service.url, token: () => token });
    resolve('token');
    expect(await run.end).toBeUndefined();
    expect(service.peers[0]!.audio.equals(bytesOf(blocks))).toBe(true);
  });

  test('sends the same bytes for any cutting of the audio', async () => {
    await using service = await startStreamService();
    const whole = bytesOf([blockAt(0, 4000)]);
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 4000 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(cuts, async cuts => {
        const edges = [0, ...cuts, 4000].toSorted((a, b) => a - b);
        const blocks = edges.slice(1).map((end, i) => blockAt(edges[i]!, end - edges[i]!));
        expect(await streamRun(from(blocks), { url: service.url }).end).toBeUndefined();
        expect(service.peers.at(-1)!.audio.equals(whole)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test('waits for the first block when the rate is not given', async () => {
    await using service = await startStreamService();
    const source = new Subject<AudioBlock>();
    const run = streamRun(source, { url: service.url });
    expect(run.statusTypes).toEqual([]);
    source.next(blockAt(0, 160));
    expect(run.statusTypes).toEqual(['connecting']);
    run.subscription.unsubscribe();
  });

  test('connects before the first block when the rate is given', async () => {
    await using service = await startStreamService();
    const source = new Subject<AudioBlock>();
    const run = streamRun(source, { url: service.url, sampleRate: TEST_RATE });
    await run.until('connected');
    source.next(blockAt(0, 160));
    source.complete();
    expect(await run.end).toBeUndefined();
    expect(service.peers[0]!.audio).toHaveLength(320);
  });

  test('gives times on the clock of a source that starts late', async () => {
    await using service = await startStreamService();
    const run = streamRun(of(blockAt(5 * TEST_RATE, TEST_RATE)), { url: service.url });
    expect(await run.end).toBeUndefined();
    expect(run.said.at(-1)).toMatchObject({ type: 'final', ts: 5, endTs: 6 });
  });
});

test('a stream warns of options that do not exist, at once and by their names', async () => {
  await using service = await startStreamService();
  const typingErrors = { transcriber: 'human', rate: undefined };
  const standby = { url: service.url, token: 'token', query: { language: 'en', skipPunctuation: true } };
  const options = { url: service.url, ...typingErrors, resume: {}, standby };
  const run = streamRun(of(blockAt(0, 160)), options);
  expect(await run.end).toBeUndefined();
  expect(run.statuses[0]).toEqual({
    type: 'warning',
    code: 'ignored-options',
    message: 'Options without effect: transcriber, skipPunctuation.',
  });
  expect([...service.peers[0]!.query.keys()].toSorted()).toEqual(['access_token', 'content_type']);
});

describe('a source without audio', () => {
  test.each([
    ['no block', EMPTY],
    ['only empty blocks', of(blockAt(0, 0), blockAt(0, 0))],
  ])('(%s) gives an empty result, a warning, and no connection', async (_, source) => {
    await using service = await startStreamService();
    const run = streamRun(source, { url: service.url });
    expect(await run.end).toBeUndefined();
    expect(run.statuses).toMatchObject([{ type: 'warning', code: 'no-audio' }]);
    expect(service.peers).toHaveLength(0);
  });

  test('ends a connection that was made before the first block', async () => {
    await using service = await startStreamService();
    const run = streamRun(EMPTY, { url: service.url, sampleRate: TEST_RATE });
    expect(await run.end).toBeUndefined();
    expect(run.statusTypes).toContain('warning');
    expect(service.peers[0]!.texts).toEqual(['EOS']);
  });
});

describe('a source that fails', () => {
  test('fails the result and closes the connection', async () => {
    await using service = await startStreamService(() => {});
    const source = new Subject<AudioBlock>();
    const run = streamRun(source, { url: service.url });
    source.next(blockAt(0, 160));
    await run.until('open');
    const broken = new Error('broken');
    source.error(broken);
    expect(await run.end).toBe(broken);
    expect(await service.peers[0]!.closed).toBe(1000);
    expect(run.statuses.at(-1)).toEqual({ type: 'failed', error: broken });
  });

  test('fails the result also before there is a connection', async () => {
    const broken = new Error('broken');
    const run = streamRun(
      throwError(() => broken),
      { url: 'http://127.0.0.1:1' },
    );
    expect(await run.end).toBe(broken);
    expect(run.statusTypes).toEqual(['failed']);
  });

  test.each([
    ['changes its rate', { ...blockAt(160, 160), sampleRate: 8000 }],
    ['changes its channels', { ...blockAt(160, 160), channels: 2 }],
    ['goes back in time', blockAt(100, 160)],
  ])('when it %s', async (_, block) => {
    await using service = await startStreamService();
    const run = streamRun(concat(of(blockAt(0, 160), block), NEVER), { url: service.url });
    expect(await run.end).toBeInstanceOf(InvalidArgumentError);
  });

  test.each([
    [Number.NaN, 'invalid-argument'],
    [0, 'invalid-argument'],
    [16_000.5, 'invalid-argument'],
    [7999, 'bad-request'],
    [96_000, 'bad-request'],
  ])('when its rate is %d', async (sampleRate, code) => {
    const run = streamRun(of({ ...blockAt(0, 160), sampleRate }), { url: 'http://127.0.0.1:1' });
    expect(await run.end).toMatchObject({ code });
  });
});

describe('unsubscribing', () => {
  test('closes the connection at once, frees the source and leaves no timer', async () => {
    await using service = await startStreamService(() => {});
    const clock = new VirtualClock();
    let isHeld = true;
    const source = new Observable<AudioBlock>(subscriber => {
      subscriber.next(blockAt(0, 160));
      return () => {
        isHeld = false;
      };
    });
    const run = streamRun(source, { url: service.url, clock });
    await run.until('open');
    run.subscription.unsubscribe();
    expect(isHeld).toBe(false);
    expect(clock.pending).toBe(0);
    expect(run.statuses.at(-1)).toMatchObject({ type: 'closed', code: 1000 });
    expect(await service.peers[0]!.closed).toBe(1000);
    expect(service.peers[0]!.texts).toEqual([]);
  });

  test('does not start a source when the stream has ended at its start', async () => {
    let isStarted = false;
    const source = new Observable<AudioBlock>(() => {
      isStarted = true;
    });
    const path = new URL(import.meta.url).pathname;
    const options = { url: 'http://127.0.0.1:1', sampleRate: TEST_RATE, spool: { path } };
    expect(String(await streamRun(source, options).end)).toContain('the path exists');
    expect(isStarted).toBe(false);
  });

  test('before the token arrives opens no connection', async () => {
    await using service = await startStreamService();
    const clock = new VirtualClock();
    const tokens = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    for (const { promise } of tokens) {
      streamRun(of(blockAt(0, 160)), {
        url: service.url,
        token: () => promise,
        clock,
      }).subscription.unsubscribe();
    }
    tokens[0]!.resolve('token');
    tokens[1]!.reject(new Error('late'));
    // A second stream gives the others time to do wrong.
    expect(await streamRun(of(blockAt(0, 160)), { url: service.url }).end).toBeUndefined();
    expect(clock.pending).toBe(0);
    expect(service.peers).toHaveLength(1);
  });

  test('during the handshake raises no error', async () => {
    await using service = await startStreamService();
    const run = streamRun(of(blockAt(0, 160)), { url: service.url });
    await Promise.resolve();
    await Promise.resolve();
    run.subscription.unsubscribe();
    expect(run.statusTypes).toEqual(['connecting', 'closed']);
    // A second stream gives the first one time to do wrong.
    expect(await streamRun(of(blockAt(0, 160)), { url: service.url }).end).toBeUndefined();
  });

  test('stops a source that emits all in one go', () => {
    const stop = new Subject<void>();
    let count = 0;
    const source = new Observable<AudioBlock>(subscriber => {
      while (!subscriber.closed && count < 1000) {
        subscriber.next(blockAt(count++ * 160, 160));
        if (count === 3) stop.next();
      }
    });
    source.pipe(transcribe({ url: 'http://127.0.0.1:1', token: 't' }), takeUntil(stop)).subscribe();
    expect(count).toBe(3);
  });

  test('at the first status leaves no connection and no timer', async () => {
    await using service = await startStreamService();
    const clock = new VirtualClock();
    const source = new Subject<AudioBlock>();
    const live = transcribe({ url: service.url, token: 't', clock });
    const subscription = source.pipe(live).subscribe();
    live.status$.subscribe(() => subscription.unsubscribe());
    source.next(blockAt(0, 160));
    expect(source.observed).toBe(false);
    expect(clock.pending).toBe(0);
    expect(await streamRun(of(blockAt(0, 160)), { url: service.url }).end).toBeUndefined();
    expect(service.peers).toHaveLength(1);
  });

  test('in the middle of an event sends nothing more', async () => {
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      await peer.endOfStream();
      peer.say(finalMessage('one', 0, 1), finalMessage('two', 1, 2));
    });
    const clock = new VirtualClock();
    const live = transcribe({ url: service.url, token: 't', clock });
    const seen: string[] = [];
    const subscription = of(blockAt(0, 160))
      .pipe(live)
      .subscribe(event => {
        seen.push(event.type);
        if (event.type === 'final') subscription.unsubscribe();
      });
    await new Promise<void>(resolve => subscription.add(resolve));
    expect(seen).toEqual(['connected', 'final']);
    expect(clock.pending).toBe(0);
  });
});

describe('a signal', () => {
  test.each(['together', 'apart'] as const)(
    'ends a stream with channels %s, and its source',
    async channelStreams => {
      await using service = await startStreamService(() => {});
      const controller = new AbortController();
      const source = new Subject<AudioBlock>();
      const { signal } = controller;
      const run = streamRun(source, { url: service.url, signal, channelStreams });
      source.next(blockAt(0, 160));
      await run.until('open');
      controller.abort(new Error('enough'));
      expect(await run.end).toMatchObject({ message: 'enough' });
      expect(run.statuses.at(-1)).toMatchObject({ type: 'failed', error: { message: 'enough' } });
      expect(source.observed).toBe(false);
      await service.peers[0]!.closed;
    },
  );

  test('that is aborted opens no connection', async () => {
    await using service = await startStreamService();
    const source = new Subject<AudioBlock>();
    const run = streamRun(source, { url: service.url, signal: AbortSignal.abort(new Error('before')) });
    expect(await run.end).toMatchObject({ message: 'before' });
    expect(service.peers).toHaveLength(0);
  });
});

describe('a token', () => {
  test('is requested for each connection', async () => {
    await using service = await startStreamService(peer =>
      peer.query.get('access_token') === 'token3' ? polite(peer) : peer.close(CLOSE.unauthorized),
    );
    let count = 0;
    const live = transcribe({ url: service.url, token: async () => `token${++count}` });
    const events = await lastValueFrom(of(blockAt(0, 160)).pipe(live, retry(5), toArray()));
    expect(events.map(event => event.type)).toEqual(['connected', 'final']);
    expect(count).toBe(3);
  });

  test('that cannot be had fails the result with the error of its function', async () => {
    const cause = new Error('no network');
    const token = () => Promise.reject(cause);
    const run = streamRun(of(blockAt(0, 160)), { url: 'http://127.0.0.1:1', token });
    expect(await run.end).toMatchObject({ name: 'UnauthorizedError', cause });
  });

  test.each(['', 'a b', 'a\n'])('like "%s" is refused before a connection', async token => {
    await using service = await startStreamService();
    const run = streamRun(of(blockAt(0, 160)), { url: service.url, token });
    expect(await run.end).toBeInstanceOf(InvalidArgumentError);
    expect(service.peers).toHaveLength(0);
  });

  test.each([undefined, null, 7])('that is %s is refused at once, by the name of its option', token => {
    const access = { url: 'http://127.0.0.1:1', token: token as unknown as string };
    const standby = { ...access, token: 'token' };
    for (const open of [transcribe, createClient, (options: typeof access) => live('talk.wav', options)]) {
      expect(() => open(access)).toThrow(/^Option 'token' must be /);
    }
    expect(() => transcribe({ ...standby, standby: access })).toThrow(/^Option 'standby.token' must be /);
  });

  test('that its function has not is refused at once, however often a stream may connect', async () => {
    const token = () => undefined as unknown as string;
    const run = streamRun(of(blockAt(0, 160)), { url: 'http://127.0.0.1:1', token, resume: {} });
    expect(await run.end).toMatchObject({ message: 'The access token must be a string, not undefined.' });
    expect(run.statusTypes).toEqual(['connecting', 'failed']);
  });
});

test('partials and finals have their text, with spaces between words', async () => {
  const words = ['good', 'morning'].map(value => ({ type: 'text', value }));
  const [good, morning] = words.map((word, at) => ({ ...word, ts: at, end_ts: at + 1 }));
  const space = { type: 'punct', value: ' ' };
  const stop = { type: 'punct', value: '.' };
  await using service = await startStreamService(async peer => {
    peer.say(connectedMessage, { type: 'partial', ts: 0, end_ts: 2, elements: words });
    peer.say({ type: 'final', ts: 0, end_ts: 2, elements: [good, space, morning, stop] });
    await closeAtEnd(peer);
  });
  const run = streamRun(of(blockAt(0, 2 * TEST_RATE)), { url: service.url });
  expect(await run.end).toBeUndefined();
  const texts = run.events.map(event => ('text' in event ? [event.type, event.text] : [event.type]));
  expect(texts).toEqual([['connected'], ['partial', 'good morning'], ['final', 'good morning.']]);
});

describe('status$', () => {
  test('replays its latest value, also after the session', async () => {
    await using service = await startStreamService();
    const live = transcribe({ url: service.url, token: 't' });
    await lastValueFrom(of(blockAt(0, 160)).pipe(live));
    expect(await firstValueFrom(live.status$)).toMatchObject({ type: 'closed', code: 1000 });
  });

  test.each(['one after the other', 'at the same time'])('is that of all uses %s', async order => {
    await using service = await startStreamService();
    const live = transcribe({ url: service.url, token: 't' });
    const seen: string[] = [];
    live.status$.subscribe(({ type }) => seen.push(type));
    const use = () => lastValueFrom(of(blockAt(0, 160)).pipe(live));
    if (order === 'at the same time') await Promise.all([use(), use()]);
    else {
      await use();
      await use();
    }
    const counts = ['connecting', 'open', 'connected', 'draining', 'closed'].map(
      type => seen.filter(one => one === type).length,
    );
    expect(counts).toEqual([2, 2, 2, 2, 2]);
  });

  test('gives a late subscriber that of the latest subscription', async () => {
    await using service = await startStreamService();
    const live = transcribe({ url: service.url, token: 't' });
    await lastValueFrom(of(blockAt(0, 160)).pipe(live));
    const source = new Subject<AudioBlock>();
    const second = source.pipe(live).subscribe();
    source.next(blockAt(0, 160));
    const seen: string[] = [];
    live.status$.subscribe(status => seen.push(status.type));
    expect(seen).toEqual(['connecting']);
    second.unsubscribe();
    expect(seen).toEqual(['connecting', 'closed']);
  });

  test('goes on over the attempts of a retry()', async () => {
    await using service = await startStreamService(peer =>
      peer.query.get('access_token') === 'token3' ? polite(peer) : peer.close(CLOSE.unauthorized),
    );
    let count = 0;
    const live = transcribe({ url: service.url, token: () => `token${++count}` });
    const seen: string[] = [];
    live.status$.subscribe(({ type }) => seen.push(type));
    await lastValueFrom(of(blockAt(0, 160)).pipe(live, retry({ count: 5, delay: 1 })));
    expect(seen.filter(type => type === 'failed' || type === 'connected')).toEqual([
      'failed',
      'failed',
      'connected',
    ]);
    expect(seen.at(-1)).toBe('closed');
  });

  test('reports progress at most once a second', async () => {
    await using service = await startStreamService(() => {});
    const clock = new VirtualClock();
    const source = new Subject<AudioBlock>();
    const run = streamRun(source, { url: service.url, clock });
    source.next(blockAt(0, 160));
    await run.until('open');
    for (let i = 1; i <= 25; i++) {
      clock.advance(100);
      source.next(blockAt(i * 160, 160));
    }
    expect(run.statuses.filter(status => status.type === 'progress')).toEqual([
      { type: 'progress', sentFrame: 11 * 160, bufferedFrames: 0, lagSeconds: 0 },
      { type: 'progress', sentFrame: 21 * 160, bufferedFrames: 0, lagSeconds: 0 },
    ]);
    run.subscription.unsubscribe();
  });
});

describe('options', () => {
  test.each([
    ['an address that is none', { url: 'nowhere' }],
    ['a time of zero', { connectTimeoutMs: 0 }],
    ['a time that is no number', { finalTimeoutMs: Number.NaN }],
    ['a negative backlog', { maxBufferedSeconds: -1 }],
    ['a rate that no service takes', { sampleRate: 7999 }],
    ['channels that no service takes', { sampleRate: 16_000, channels: 11 }],
    ['metadata that is too long', { metadata: 'x'.repeat(513) }],
    ['a segment that is too short', { maxSegmentDurationSeconds: 4 }],
  ])('with %s are refused at once', (_, options) => {
    expect(() => transcribe({ url: 'http://127.0.0.1:1', token: 't', ...options })).toThrow();
  });
});

test('many streams run at the same time', async () => {
  await using service = await startStreamService();
  const runs = Array.from({ length: 50 }, () => streamRun(from(blocksOf(20, 160)), { url: service.url }));
  expect(await Promise.all(runs.map(run => run.end))).toEqual(runs.map(() => undefined));
  await Promise.all(service.peers.map(peer => peer.closed));
  expect(new Set(service.peers.map(peer => peer.audio.length))).toEqual(new Set([20 * 320]));
});
