import { describe, expect, test } from 'vitest';
import {
  addressName,
  firstVariant,
  hasEnded,
  isLiveAddress,
  liveArguments,
  readLiveAddress,
} from '../../../src/audio/source/liveAddress.ts';
import { originOf } from '../../../src/audio/source/liveDecoder.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';

test.each([
  ['rtmp://host/live/key', true],
  ['RTMPS://host/live/key', true],
  ['srt://:9000?mode=listener', true],
  ['rtsp://me:secret@camera/1', true],
  ['udp://@239.0.0.1:5000', true],
  ['https://host/live/index.m3u8?token=1', true],
  ['https://host/talk.wav?list=a.m3u8', false],
  ['http://host/', false],
  ['file:///etc/passwd', false],
  ['concat://a', false],
  ['rtmp:host', false],
  ['talk.m3u8', false],
  ['-', false],
])('%s is a live address: %s', (text, expected) => {
  expect(isLiveAddress(text)).toBe(expected);
});

test.each([
  ['#EXT-X-STREAM-INF:BANDWIDTH=1\r\n\r\n# a note\r\n \nlow.m3u8\r\nother', 'low.m3u8'],
  ['#EXT-X-STREAM-INF:BANDWIDTH=1', undefined],
  ['#EXTINF:4,\nseg.ts', undefined],
  // A pattern that matches an empty line in two ways would need longer than the universe has existed.
  [`#EXT-X-STREAM-INF:BANDWIDTH=1\r\n${'\r\n'.repeat(20_000)}`, undefined],
])('the first variant of a playlist is found, however many empty lines it has (%#)', (text, variant) => {
  expect(firstVariant(text)).toBe(variant);
});

test('the name of an address has no user, path or query', () => {
  expect(addressName('rtsp://me:secret@camera:554/secret?secret')).toBe("'rtsp://camera:554'");
  expect(addressName('srt://host:9000?passphrase=secret')).toBe("'srt://host:9000'");
});

test.each(['gopher://host/', 'rtmp:///live', 'srt://:9000'])('%s is refused, in one line', url => {
  expect(() => readLiveAddress(url)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
});

describe('the arguments of ffmpeg', () => {
  const argumentsOf = (url: string) => liveArguments(readLiveAddress(url));
  const argumentBehind = (list: readonly string[], name: string) => list[list.indexOf(name) + 1];

  test('allow the protocols of the scheme only, and never files', () => {
    for (const url of ['rtmp://h/a', 'srt://h:1', 'rtsp://h/a', 'udp://h:1', 'http://h/a.m3u8']) {
      const protocols = argumentBehind(argumentsOf(url), '-protocol_whitelist')!.split(',');
      expect(protocols).not.toEqual(expect.arrayContaining(['file']));
      expect(protocols.length).toBeLessThan(7);
    }
    expect(argumentBehind(argumentsOf('rtmp://h/a'), '-protocol_whitelist')).toBe('rtmp,tcp');
  });

  test('have the address behind -i, where it cannot be an option', () => {
    const url = 'srt://host:9000?mode=caller&latency=200000';
    expect(argumentBehind(argumentsOf(url), '-i')).toBe(url);
  });

  test('let RTMP listen, without the parameter that asks for it', () => {
    const list = argumentsOf('rtmp://0.0.0.0:1935/live/key?listen=1');
    expect(argumentBehind(list, '-listen')).toBe('1');
    expect(argumentBehind(list, '-i')).toBe('rtmp://0.0.0.0:1935/live/key');
    expect(argumentsOf('rtmp://host/live/key')).not.toContain('-listen');
  });
});

test.each([
  [
    '#tb 0: 1/90000\n#media_type 0: audio\n0,     667440,     667440,     5760,      513, 0xf6c8f93d\n',
    7.416,
  ],
  ['#tb 0: 1/48000\n0, -1024, -1024, 1024, 513, 0x1', -1024 / 48_000],
  ['#tb 0: 1/90000\n0,     66', undefined],
  ['', undefined],
])('the time of the first packet is read: %j', (lines, seconds) => {
  expect(originOf(lines)).toBe(seconds);
});

describe('a playlist', () => {
  const MEDIA = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n';
  const MASTER = '#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\r\n\r\n# low\r\nlow/a.m3u8\r\n';
  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['with an end has ended', { '/a.m3u8': `${MEDIA}#EXT-X-ENDLIST\n` }, true],
    ['without an end has not', { '/a.m3u8': MEDIA }, false],
    [
      'whose variant has an end has ended',
      { '/a.m3u8': MASTER, '/low/a.m3u8': `${MEDIA}#EXT-X-ENDLIST` },
      true,
    ],
    ['whose variant has no end has not', { '/a.m3u8': MASTER, '/low/a.m3u8': MEDIA }, false],
    ['that is not there has not', {}, false],
    ['that is a page has not', { '/a.m3u8': '<p>\n#EXT-X-ENDLIST\n' }, false],
  ])('%s', async (_, files, expected) => {
    const { url } = await httpServer((request, response) => {
      const file = files[request.url!];
      response.writeHead(file === undefined ? 404 : 200).end(file);
    });
    expect(await hasEnded(`${url}/a.m3u8`)).toBe(expected);
  });
});
