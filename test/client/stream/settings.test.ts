import { describe, expect, test } from 'vitest';
import { STREAM_DEFAULTS, type TranscribeOptions } from '../../../src/client/stream/options.ts';
import { streamSettings, timeoutsAfter } from '../../../src/client/stream/settings.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';

const options = { url: 'http://127.0.0.1:1', token: 'token' };

/** As who writes JavaScript may give it. */
const given = (more: object) => ({ ...options, ...more }) as unknown as TranscribeOptions;

describe('an option that cannot be used is refused at once', () => {
  test.each([
    ['speed', { catchUp: { speed: 1 } }],
    ['speed', { catchUp: { speed: Number.NaN } }],
    ['burstSeconds', { catchUp: { burstSeconds: 0 } }],
    ['baseDelayMs', { resume: { baseDelayMs: -1 } }],
    ['maxDelayMs', { resume: { maxDelayMs: 0 } }],
    ['firstConnectionSeconds', { resume: { firstConnectionSeconds: Number.NaN } }],
    ['giveUpAfterSeconds', { resume: { giveUpAfterSeconds: -5 } }],
    ['sessionSeconds', { sessionSeconds: Number.NaN }],
    ['memorySeconds', { memorySeconds: -1 }],
    ['maxBufferedSeconds', { maxBufferedSeconds: 0 }],
    ['readyTimeoutMs', { readyTimeoutMs: -1 }],
    ['pongTimeoutMs', { pongTimeoutMs: Number.NaN }],
    ['idle', { idle: 'sleep' }],
    ['overflow', { overflow: 'drop' }],
    ['fallback', { overflow: 'asyncOnly' }],
    ['channelStreams', { channelStreams: 'each' }],
  ])('%s: %o', (name, more) => {
    const refusal = expect.objectContaining({
      code: 'invalid-argument',
      message: expect.stringContaining(name),
    });
    expect(() => transcribe(given(more))).toThrow(refusal);
    expect(() => transcribe(given({ channelStreams: 'apart', ...more }))).toThrow(refusal);
  });
});

test('undefined means the default, in every option', () => {
  const names = Object.keys(STREAM_DEFAULTS).filter(name => name !== 'readyMarginMs');
  const undefinedOf = (list: readonly string[]) => Object.fromEntries(list.map(name => [name, undefined]));
  const nothing = {
    ...undefinedOf(names),
    ...undefinedOf(['sampleRate', 'gate', 'spool', 'fallback', 'readyTimeoutMs', 'channelStreams', 'clock']),
  };
  const inner = {
    resume: undefinedOf(Object.keys(STREAM_DEFAULTS.resume)),
    catchUp: undefinedOf(Object.keys(STREAM_DEFAULTS.catchUp)),
  };
  const defaults = streamSettings(options);
  expect(streamSettings(given(nothing))).toEqual(defaults);
  expect(streamSettings(given({ ...nothing, ...inner }))).toEqual(defaults);
  expect(defaults.resume).toEqual(STREAM_DEFAULTS.resume);
  expect(defaults.catchUp).toEqual(STREAM_DEFAULTS.catchUp);
  expect(timeoutsAfter(0, defaults, defaults.query)).toMatchObject({
    readyTimeoutMs: 70_000,
    pongTimeoutMs: STREAM_DEFAULTS.pongTimeoutMs,
  });
});

test('a standby has short timeouts, which double with each failure, unless they are set', () => {
  const standby = { url: 'http://localhost:2', token: 'other' };
  const settings = streamSettings({ url: 'http://localhost:1', token: 'token', standby });
  expect(timeoutsAfter(0, settings, settings.query)).toMatchObject({
    connectTimeoutMs: 2000,
    pingIntervalMs: 250,
    pongTimeoutMs: 750,
  });
  expect(timeoutsAfter(1, settings, settings.query)).toMatchObject({
    connectTimeoutMs: 4000,
    pingIntervalMs: 250,
    pongTimeoutMs: 1500,
  });
  expect(timeoutsAfter(99, settings, settings.query)).toEqual({
    ...settings.timeouts,
    readyTimeoutMs: 70_000,
    pingIntervalMs: 250,
  });
  const set = streamSettings({ url: 'http://localhost:1', token: 'token', standby, pongTimeoutMs: 5000 });
  expect(timeoutsAfter(0, set, set.query).pongTimeoutMs).toBe(5000);
  const alone = streamSettings({ url: 'http://localhost:1', token: 'token' });
  expect(timeoutsAfter(3, alone, alone.query)).toMatchObject({ ...alone.timeouts, readyTimeoutMs: 70_000 });
});

test.each(['', undefined, ['http://localhost', '']])('names the address that is %j', url => {
  const options = { url: url as string, token: 'token' };
  expect(() => streamSettings(options)).toThrow(/address 'url' must be .*, not empty\.$/);
});

test.each([
  [{ standby: { url: 'nowhere', token: 't' } }, 'absolute URL'],
  [{ standby: { url: 'http://localhost', token: 't', takeOverSeconds: 0 } }, "'standby.takeOverSeconds'"],
  [
    { standby: { url: 'http://localhost', token: 't', returnAfterSeconds: -1 } },
    "'standby.returnAfterSeconds'",
  ],
  [{ standby: { url: 'http://localhost', token: 't' }, resume: false as const }, "'resume'"],
])('rejects a standby that cannot be used (%#)', (options, words) => {
  expect(() => streamSettings({ url: 'http://localhost', token: 'token', ...options })).toThrow(words);
});
