import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import {
  type AddressGuard,
  createAddressGuard,
  type Resolve,
} from '../../../src/service/outbound/addressGuard.ts';
import {
  DownloadError,
  type DownloadOptions,
  type DownloadSource,
  download,
  fetchText,
} from '../../../src/service/outbound/download.ts';
import { OutboundError } from '../../../src/service/outbound/outboundError.ts';
import { nextHop } from '../../../src/service/outbound/redirects.ts';
import { selfSignedCertificate } from '../../helpers/certificate.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { httpServer, httpsServer, rawServer } from '../../helpers/loopbackServer.ts';

const guard = createAddressGuard({ allowPrivate: true });
let path: string;

beforeEach(async () => {
  path = join(await temporaryDirectory(), 'media');
});

const get = (source: string | DownloadSource, options: Partial<DownloadOptions> = {}) =>
  download(typeof source === 'string' ? { url: source } : source, path, { guard, ...options });

/** Returns the message of a failed download, after checking that it leaves no file and reveals no internals. */
async function failureOf(downloading: Promise<unknown>): Promise<string> {
  const error = await downloading.then(
    () => expect.fail('expected a failure'),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(DownloadError);
  expect(error).toMatchObject({ code: 'download' });
  const { message } = error as DownloadError;
  expect(message).toMatch(/^(The download failed: .+|Cannot write the download \(.+\))\.$/);
  expect(message).not.toMatch(/\d+\.\d+\.\d+\.\d+|secret|\?|127|E[A-Z]{5}/);
  expect(existsSync(path)).toBe(false);
  return message;
}

describe('a download', () => {
  test('writes the bytes to a private file, and returns their number and name', async () => {
    const media = randomBytes(3_000_000);
    const { url } = await httpServer((_, response) => response.end(media));
    await expect(get(`${url}/talks/monday%20talk.wav?signature=secret#t=3`)).resolves.toEqual({
      bytes: media.length,
      name: 'monday talk.wav',
    });
    expect(readFileSync(path).equals(media)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('sends the whole path and query, the authorization, and no encoding', async () => {
    const requests: IncomingMessage[] = [];
    const { url, port } = await httpServer((request, response) => {
      requests.push(request);
      response.end('x');
    });
    await get({ url: `${url}/a%2Fb?c=%20d#fragment`, authorization: 'Basic c2VjcmV0' });
    expect(requests[0]).toMatchObject({ method: 'GET', url: '/a%2Fb?c=%20d' });
    expect(requests[0]!.headers).toEqual({
      host: `127.0.0.1:${port}`,
      connection: 'close',
      'accept-encoding': 'identity',
      authorization: 'Basic c2VjcmV0',
      'user-agent': expect.stringMatching(/^rxscribe\/\d+\.\d+\.\d+$/),
    });
  });

  test('replaces the file of an earlier one', async () => {
    writeFileSync(path, 'a much longer file than what comes');
    const { url } = await httpServer((_, response) => response.end('new'));
    await expect(get(url)).resolves.toEqual({ bytes: 3 });
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  test.each([
    ['neither length nor chunks', 'HTTP/1.1 200 OK\r\n\r\nhello'],
    ['no bytes', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', ''],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n'],
    ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhello'],
    ['an early word', 'HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
  ])('accepts a body with %s', async (_, answer, text = 'hello') => {
    const { url } = await rawServer(socket => socket.end(answer));
    await expect(get(url)).resolves.toEqual({ bytes: text.length });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('has the name given by the server', async () => {
    const { url } = await httpServer((_, response) => {
      response.setHeader('content-disposition', 'attachment; filename="../../etc/pass\\"wd.wav"');
      response.end('x');
    });
    await expect(get(`${url}/other.mp3`)).resolves.toEqual({ bytes: 1, name: 'pass"wd.wav' });
  });
});

describe('a download fails', () => {
  test.each([204, 206, 304, 400, 401, 403, 404, 410, 429, 500, 503])('with status %d', async status => {
    const { url } = await httpServer((_, response) => {
      response.writeHead(status, { 'content-type': 'text/plain' });
      response.end(status === 204 || status === 304 ? undefined : 'not what was asked for');
    });
    await expect(failureOf(get(`${url}/?token=secret`))).resolves.toBe(
      `The download failed: the server answered with status ${status}.`,
    );
  });

  test.each([
    [
      'is shorter than announced',
      'Content-Length: 10\r\n\r\nabc',
      /it has \d bytes instead of the announced 10/,
    ],
    [
      'is longer than announced',
      'Content-Length: 3\r\n\r\nabcdefgh',
      /it has more than the announced 3 bytes/,
    ],
    [
      'is longer than announced by a server that closes',
      'Connection: close\r\nContent-Length: 3\r\n\r\nabcdefgh',
      /it has more than the announced 3 bytes/,
    ],
    ['ends in the middle of a chunk', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhel', /the connection broke/],
    ['has no last chunk', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n', /the connection broke/],
    [
      'has a chunk of no size',
      'Transfer-Encoding: chunked\r\n\r\nsecret\r\n',
      /the answer is not valid HTTP/,
    ],
    [
      'has two lengths',
      'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
      /the answer is not valid HTTP/,
    ],
  ])('when the body %s', async (_, rest, message) => {
    const { url } = await rawServer(socket => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    await expect(failureOf(get(url))).resolves.toMatch(message);
  });

  test.each([
    ['nothing at all', '', 'the connection broke'],
    ['something else than HTTP', 'SSH-2.0-OpenSSH_9.2 secret\r\n', 'the answer is not valid HTTP'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'the connection broke',
    ],
    ['headers without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`, 'the answer is not valid HTTP'],
  ])('when the server answers with %s', async (_, answer, message) => {
    const { url } = await rawServer(socket => socket.end(answer));
    await expect(failureOf(get(url))).resolves.toContain(message);
  });

  test('when the connection is reset in the middle', async () => {
    const { url } = await rawServer(async socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc');
      await eventually(() => expect(statSync(path).size).toBe(3));
      socket.resetAndDestroy();
    });
    await expect(failureOf(get(url))).resolves.toBe(
      'The download failed: it has 3 bytes instead of the announced 1000000.',
    );
  });

  test('when nothing listens', async () => {
    await expect(failureOf(get('http://127.0.0.1:1/'))).resolves.toContain('the connection was refused');
  });

  test('when the host does not exist', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    const guard = createAddressGuard({ resolve });
    await expect(failureOf(get('http://media.example/', { guard }))).resolves.toContain(
      'its host does not exist',
    );
  });

  test('when the server has no TLS', async () => {
    const { port } = await rawServer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(failureOf(get(`https://127.0.0.1:${port}/`))).resolves.toContain('no common version of TLS');
  });

  test.each([
    ['gzip', gzipSync('hello')],
    ['br', Buffer.from('x')],
  ])('when the body comes in %s, unrequested', async (encoding, body) => {
    const { url } = await httpServer((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    });
    await expect(failureOf(get(url))).resolves.toContain('a content encoding');
  });

  test.each([
    ['file:///etc/passwd', 'not file:'],
    ['ftp://example.org/a.wav', 'not ftp:'],
    ['data:audio/wav;base64,AAAA', 'not data:'],
    ['example.org/secret.wav', 'is not an absolute http or https URL'],
    ['', 'is not an absolute http or https URL'],
    ['http://user:secret@example.org/', 'must not contain a user name or password'],
    ['http://secret@example.org/', 'must not contain a user name or password'],
  ])('for the address "%s"', async (url, message) => {
    await expect(failureOf(get(url))).resolves.toContain(message);
  });

  test('for an authorization that no header can carry, without revealing it', async () => {
    const { url } = await httpServer((_, response) => response.end('x'));
    await expect(failureOf(get({ url, authorization: 'Bearer secret\r\nX: 1' }))).resolves.toContain(
      'its headers cannot be sent',
    );
  });

  test('with another error when the file cannot be written', async () => {
    let closed = 0;
    const { url } = await httpServer((request, response) => {
      request.socket.on('close', () => closed++);
      response.write('x');
    });
    symlinkSync('/dev/full', path);
    for (const unwritable of [path, join(path, 'in', 'no', 'directory')]) {
      const failed = await download({ url }, unwritable, { guard }).catch(error => error);
      expect(failed).toMatchObject({ code: 'store' });
      expect(failed.message).toMatch(/^Cannot write the download \((ENOENT|ENOSPC)\)\.$/);
    }
    await eventually(() => expect(closed).toBe(2));
  });
});

describe('the size of a download', () => {
  test('is refused at once when it is announced', async () => {
    const { url } = await rawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n');
    });
    await expect(failureOf(get(url, { maxBytes: 1000 }))).resolves.toBe(
      'The download failed: it has more than 1000 bytes.',
    );
  });

  test('is limited for a body that never ends', async () => {
    const ends = Promise.withResolvers<void>();
    const { url } = await httpServer((_, response) => {
      const endless = function* () {
        while (true) yield Buffer.alloc(10_000);
      };
      pipeline(endless(), response).catch(() => ends.resolve());
    });
    await expect(failureOf(get(url, { maxBytes: 1_000_000 }))).resolves.toContain('more than 1000000 bytes');
    await ends.promise;
  });

  test.each(['Content-Length: 1000\r\n\r\n', '\r\n'])('may equal the limit', async headers => {
    const { url } = await rawServer(socket => socket.end(`HTTP/1.1 200 OK\r\n${headers}${'x'.repeat(1000)}`));
    await expect(get(url, { maxBytes: 1000 })).resolves.toEqual({ bytes: 1000 });
    await expect(get(url, { maxBytes: 999 })).rejects.toThrow('it has more than');
  });
});

describe('the time of a download', () => {
  test('is limited for a name that does not resolve', async () => {
    const resolve: Resolve = () => new Promise(() => {});
    const slow = get('http://media.example/', {
      guard: createAddressGuard({ resolve }),
      connectTimeoutMs: 20,
    });
    await expect(failureOf(slow)).resolves.toBe('The download failed: no connection within 0.02 s.');
  });

  test('is limited for an unfinished TLS handshake', async () => {
    const { port } = await rawServer(() => {});
    const slow = get(`https://127.0.0.1:${port}/`, { connectTimeoutMs: 50 });
    await expect(failureOf(slow)).resolves.toBe('The download failed: no connection within 0.05 s.');
  });

  test.each(['', 'HTTP/1.1 200 OK\r\nX-Slow: '])(
    'is limited for headers that begin with "%s"',
    async start => {
      const { url } = await rawServer(socket => socket.write(start));
      await expect(failureOf(get(url, { answerTimeoutMs: 50 }))).resolves.toBe(
        'The download failed: no answer within 0.05 s.',
      );
    },
  );

  test.each(['', 'abc'])('is limited for a body that stalls after "%s"', async start => {
    const { url } = await rawServer(socket => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n${start}`);
    });
    await expect(failureOf(get(url, { stallTimeoutMs: 50 }))).resolves.toBe(
      'The download failed: no further data within 0.05 s.',
    );
  });

  test('is limited as a whole, however steadily data arrives', async () => {
    const clock = new VirtualClock();
    const { url } = await rawServer(async socket => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      for (let bytes = 1; !socket.destroyed; bytes++) {
        socket.write('x');
        await eventually(() => expect(socket.destroyed || statSync(path).size === bytes).toBe(true));
        clock.advance(900);
      }
    });
    await expect(failureOf(get(url, { clock, stallTimeoutMs: 1000, totalTimeoutMs: 5000 }))).resolves.toBe(
      'The download failed: no end of the data within 5 s.',
    );
    expect(clock.pending).toBe(0);
  });

  test('continues while data arrives, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const { url } = await rawServer(async socket => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      for (let bytes = 1; bytes <= 10; bytes++) {
        socket.write('x');
        await eventually(() => expect(statSync(path).size).toBe(bytes));
        clock.advance(900);
      }
      socket.end();
    });
    await expect(get(url, { clock, stallTimeoutMs: 1000 })).resolves.toEqual({ bytes: 10 });
    expect(clock.pending).toBe(0);
  });

  test('ends with the signal, whose reason is thrown', async () => {
    const controller = new AbortController();
    const connections: IncomingMessage[] = [];
    const { url } = await httpServer((request, response) => {
      connections.push(request);
      response.write('abc');
    });
    const downloading = get(url, { signal: controller.signal }).catch(error => error);
    await eventually(() => expect(statSync(path).size).toBe(3));
    const reason = new Error('the service stops');
    controller.abort(reason);
    await expect(downloading).resolves.toBe(reason);
    expect(existsSync(path)).toBe(false);
    await eventually(() => expect(connections[0]!.socket.destroyed).toBe(true));
    await expect(get(url, { signal: controller.signal })).rejects.toBe(reason);
    expect(connections).toHaveLength(1);
  });
});

describe('a text', () => {
  const answering = (body: Uint8Array | string): RequestListener => {
    return (_, response) => void response.end(body);
  };

  test('is decoded from UTF-8, however the pieces split characters', async () => {
    const text = 'Grüße, 世界 😀\n'.repeat(20_000);
    const { url } = await httpServer(answering(text));
    await expect(fetchText({ url }, { guard })).resolves.toBe(text);
  });

  test('has no byte order mark', async () => {
    const { url } = await httpServer(answering('\ufeffhello'));
    await expect(fetchText({ url }, { guard })).resolves.toBe('hello');
  });

  test('is requested with the authorization', async () => {
    const { url } = await httpServer((request, response) => response.end(request.headers.authorization));
    await expect(fetchText({ url, authorization: 'Bearer a' }, { guard })).resolves.toBe('Bearer a');
  });

  test.each([
    ['is not UTF-8', Buffer.from('Grüße', 'latin1'), 'it is not text in UTF-8'],
    ['is audio', randomBytes(1000), 'it is not text in UTF-8'],
    ['is too long', 'x'.repeat(1001), 'more than 1000 bytes'],
  ])('is refused when it %s', async (_, body, message) => {
    const { url } = await httpServer(answering(body));
    const failed = fetchText({ url }, { guard, maxBytes: 1000 });
    await expect(failureOf(failed)).resolves.toContain(message);
  });
});

/** Answers requests by a table of paths and locations, and all others with their paths. */
function redirecting(locations: Readonly<Record<string, string>>, status = 302): RequestListener {
  return ({ url = '' }, response) => {
    const location = locations[url];
    if (location === undefined) response.end(url);
    else response.writeHead(status, { location }).end('moved');
  };
}

describe('the next hop', () => {
  test.each([
    ['b', 'https://a.example/x/b'],
    ['/b', 'https://a.example/b'],
    ['?b', 'https://a.example/x/a?b'],
    ['//b.example/b', 'https://b.example/b'],
    ['https://b.example', 'https://b.example/'],
  ])('to %s is %s', (location, href) => {
    expect(nextHop({ url: new URL('https://a.example/x/a') }, location)).toEqual({ url: new URL(href) });
  });

  test.each([
    ['the same origin', 'https://a.example:443/b', true],
    ['another path', '/b', true],
    ['another port', 'https://a.example:8443/b', false],
    ['another host', 'https://b.a.example/b', false],
    ['another host, without scheme', '//b.example/b', false],
  ])('to %s keeps the authorization or drops it', (_, location, kept) => {
    const hop = nextHop({ url: new URL('https://a.example/a'), authorization: 'Bearer a' }, location);
    expect(hop.authorization).toBe(kept ? 'Bearer a' : undefined);
  });

  test('may switch to TLS, which is another origin, but not from it', () => {
    const plain = { url: new URL('http://a.example/'), authorization: 'Bearer a' };
    expect(nextHop(plain, 'https://a.example/')).toEqual({ url: new URL('https://a.example/') });
    const secure = { ...plain, url: new URL('https://a.example/') };
    expect(() => nextHop(secure, 'http://a.example/')).toThrow('from https to http');
  });

  test.each([
    ['nowhere', undefined],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:text/plain,hello'],
    ['a URL with a password', 'http://user:secret@a.example/'],
    ['something else', 'http://['],
  ])('to %s is refused', (_, location) => {
    expect(() => nextHop({ url: new URL('http://a.example/') }, location)).toThrow(OutboundError);
  });
});

describe('a redirected download', () => {
  test.each([301, 302, 303, 307, 308])('follows status %d', async status => {
    const { url } = await httpServer(redirecting({ '/here.mp3': '/to/there.wav?a=b' }, status));
    await expect(get(`${url}/here.mp3`)).resolves.toEqual({ bytes: 17, name: 'here.mp3' });
    expect(readFileSync(path, 'utf8')).toBe('/to/there.wav?a=b');
  });

  test('follows five redirects and no more', async () => {
    const chain = Object.fromEntries([1, 2, 3, 4, 5, 6].map(number => [`/${number}`, `/${number + 1}`]));
    const { url } = await httpServer(redirecting(chain));
    await expect(get(`${url}/2`)).resolves.toMatchObject({ bytes: 2 });
    await expect(get(`${url}/1`)).rejects.toThrow('The download failed: it has more than 5 redirects.');
  });

  test('sends the authorization to no other origin, even if that leads back', async () => {
    const requests: IncomingMessage[] = [];
    const first = await httpServer((request, response) => {
      requests.push(request);
      redirecting({ '/a': '/b', '/b': `${second.url}/c` })(request, response);
    });
    const second = await httpServer((request, response) => {
      requests.push(request);
      redirecting({ '/c': `${first.url}/d` })(request, response);
    });
    await get({ url: `${first.url}/a`, authorization: 'Bearer secret' });
    expect(requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/a', 'Bearer secret'],
      ['/b', 'Bearer secret'],
      ['/c', undefined],
      ['/d', undefined],
    ]);
  });
});

describe('a public address that leads to a private one', () => {
  /** A guard for which one name is public, although its server is local. */
  function guardWithPublicName(name: string): AddressGuard {
    const strict = createAddressGuard({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    const local = createAddressGuard({
      allowPrivate: true,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    return {
      checkHost: strict.checkHost,
      lookup: (host, options, callback) => (host === name ? local : strict).lookup(host, options, callback),
      checkAddress: local.checkAddress,
    };
  }

  test.each(['127.0.0.1', 'localhost', 'private.example', '0x7f.1', '[::ffff:7f00:1]'])(
    'is refused there: %s',
    async host => {
      const requests: string[] = [];
      const { port } = await httpServer((request, response) => {
        requests.push(request.url!);
        redirecting({ '/a': `http://${host}:${port}/admin` })(request, response);
      });
      const guard = guardWithPublicName('public.example');
      const got = get(`http://public.example:${port}/a`, { guard });
      await expect(got).rejects.toThrow('The download failed: its address is not public.');
      expect(requests).toEqual(['/a']);
    },
  );
});

describe('with TLS, a download', () => {
  test('works, refuses to leave TLS, and trusts no unknown certificate', async () => {
    const certificate = selfSignedCertificate();
    const plain = await httpServer((_, response) => response.end('plain'));
    const secure = await httpsServer(certificate, redirecting({ '/a': '/b', '/down': `${plain.url}/c` }));
    await expect(get(`${secure.url}/a`)).rejects.toThrow(
      'The download failed: its certificate is not trusted.',
    );

    const known = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(known));
    setDefaultCACertificates([...known, certificate.cert]);
    await expect(get(`${secure.url}/a`)).resolves.toEqual({ bytes: 2, name: 'a' });
    await expect(get(`${secure.url}/down`)).rejects.toThrow('from https to http');
  });
});
