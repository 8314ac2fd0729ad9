import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../../src/base/errors.ts';
import { publicAddress } from '../../src/client/serviceAccess.ts';
import { queryAddress, streamAddress, tokenAddress } from '../../src/client/streamAddress.ts';
import { parseStreamQuery } from '../../src/protocol/streamQuery.ts';
import { StreamQueryError } from '../../src/protocol/streamQueryError.ts';

const STREAM = '/speechtotext/v1/stream';
const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
const contentType = { kind: 'raw', layout: 'interleaved', format } as const;

describe('the address of a stream', () => {
  test.each([
    ['http://host:8080', `ws://host:8080${STREAM}`],
    ['https://host/', `wss://host${STREAM}`],
    ['ws://host/behind/a/proxy//', `ws://host/behind/a/proxy${STREAM}`],
    [`wss://host${STREAM}`, `wss://host${STREAM}`],
    [`wss://host${STREAM}/`, `wss://host${STREAM}`],
    ['ws://[::1]:9/?tenant=7#top', `ws://[::1]:9${STREAM}?tenant=7`],
  ])('of %s is %s', (base, address) => {
    expect(streamAddress(base).href).toBe(address);
    expect(streamAddress(new URL(base)).href).toBe(address);
  });

  test.each(['', 'host:8080', 'localhost', '/stream', 'ftp://host', 'file:///tmp/a'])(
    'is refused of "%s"',
    base => {
      expect(() => streamAddress(base)).toThrow(InvalidArgumentError);
    },
  );

  test('does not show what may be a secret', () => {
    expect(() => streamAddress('my-secret-token')).toThrow(/^(?!.*secret).*$/);
    const address = streamAddress('https://user:password@host:1/?access_token=t');
    expect(publicAddress(address)).toBe(`wss://host:1${STREAM}`);
  });
});

describe('the address of a session', () => {
  const address = streamAddress('http://host/?tenant=7');

  test('carries query and token so that a service can read them', () => {
    const metadata = 'a + b & c=d';
    const { searchParams } = tokenAddress(queryAddress(address, { contentType, metadata }), 'to+k/e=n');
    expect(parseStreamQuery(searchParams)).toEqual({ contentType, metadata });
    expect(searchParams.get('access_token')).toBe('to+k/e=n');
    expect(searchParams.get('tenant')).toBe('7');
  });

  test('is readable also to those who take a plus sign for itself', () => {
    expect(queryAddress(address, { contentType, metadata: 'a b' }).search).not.toContain('+');
  });

  test.each(['', 'to ken', 'token\n', ' token', 'tökén'])('refuses the token "%s"', token => {
    expect(() => tokenAddress(address, token)).toThrow(/^The access token must (?!.*ken)/);
  });

  test('refuses a query that a service would refuse', () => {
    expect(() => queryAddress(address, { contentType, metadata: 'x'.repeat(513) })).toThrow(StreamQueryError);
  });
});
