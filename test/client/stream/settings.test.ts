import { describe, expect, test } from 'vitest';
import { STREAM_DEFAULTS, type TranscribeOptions } from '../../../src/client/stream/options.ts';
import { streamSettings } from '../../../src/client/stream/settings.ts';
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
  expect(defaults.timeouts).toMatchObject({ readyMs: 70_000, pongMs: STREAM_DEFAULTS.pongTimeoutMs });
});
