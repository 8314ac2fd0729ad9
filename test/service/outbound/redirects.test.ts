import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type AddressGuard, createAddressGuard } from '../../../src/service/outbound/addressGuard.ts';
import { type DownloadSource, download } from '../../../src/service/outbound/download.ts';
import { OutboundError } from '../../../src/service/outbound/outboundError.ts';
import { nextHop } from '../../../src/service/outbound/redirects.ts';
import { selfSignedCertificate } from '../../helpers/certificate.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { httpServer, httpsServer } from '../../helpers/loopbackServer.ts';

const allowAll = createAddressGuard({ allowPrivate: true });
let path: string;

beforeEach(async () => {
  path = join(await temporaryDirectory(), 'media');
});

const get = (source: DownloadSource, guard: AddressGuard = allowAll) => download(source, path, { guard });

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

describe('a download', () => {
  test.each([301, 302, 303, 307, 308])('follows status %d', async status => {
    const { url } = await httpServer(redirecting({ '/here.mp3': '/to/there.wav?a=b' }, status));
    await expect(get({ url: `${url}/here.mp3` })).resolves.toEqual({ bytes: 17, name: 'here.mp3' });
    expect(readFileSync(path, 'utf8')).toBe('/to/there.wav?a=b');
  });

  test('follows five redirects and no more', async () => {
    const chain = Object.fromEntries([1, 2, 3, 4, 5, 6].map(number => [`/${number}`, `/${number + 1}`]));
    const { url } = await httpServer(redirecting(chain));
    await expect(get({ url: `${url}/2` })).resolves.toMatchObject({ bytes: 2 });
    await expect(get({ url: `${url}/1` })).rejects.toThrow(
      'The download failed: it has more than 5 redirects.',
    );
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
      const got = get({ url: `http://public.example:${port}/a` }, guardWithPublicName('public.example'));
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
    await expect(get({ url: `${secure.url}/a` })).rejects.toThrow(
      'The download failed: its certificate is not trusted.',
    );

    const known = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(known));
    setDefaultCACertificates([...known, certificate.cert]);
    await expect(get({ url: `${secure.url}/a` })).resolves.toEqual({ bytes: 2, name: 'a' });
    await expect(get({ url: `${secure.url}/down` })).rejects.toThrow('from https to http');
  });
});
