import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { InvalidArgumentError } from '../../../../src/base/errors.ts';
import { checkCaptionPage, openCaptionPage } from '../../../../src/captions/outputs/page/captionPage.ts';
import { pageAddress } from '../../../../src/captions/outputs/page/pageAddress.ts';
import type { PageText } from '../../../../src/captions/outputs/page/pageText.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { freePorts } from '../../../helpers/freePorts.ts';
import { rawConnection, rawRequest } from '../../../helpers/rawConnection.ts';
import { hasLoopbackNetwork, openPage, type PageViewer, says, watch, watchBarely } from './pageClient.ts';

const textsOf = ({ paragraphs }: PageText) => paragraphs.map(({ text }) => text);

describe('a caption page', () => {
  test('shows a late viewer all text at once, and later text as it comes', async () => {
    const { page, output } = await openPage();
    output.take(says('Good morning.'));
    output.take({ type: 'notice', text: '[captions paused]' });
    output.take(says('We begin.'));
    const viewer = await watch(page.url);
    await eventually(() =>
      expect(textsOf(viewer.text)).toEqual(['Good morning.', '[captions paused]', 'We begin.']),
    );
    output.take(says('Now.', ['uncertain']));
    await eventually(() => expect(viewer.text).toMatchObject({ tail: 'uncertain' }));
    expect(textsOf(viewer.text).at(-1)).toBe('We begin. Now.');
  });

  test('continues a connection with the missed updates only, none of them twice', async () => {
    const { page, output } = await openPage();
    output.take(says('One'));
    const first = await watch(page.url);
    await eventually(() => expect(textsOf(first.text)).toEqual(['One']));
    await first.close();
    output.take(says('two'));
    const second = await watch(page.url, { lastId: first.lastId, text: first.text });
    await eventually(() => expect(textsOf(second.text)).toEqual(['One two']));
    expect(second.events).not.toContain('text');
  });

  test('begins anew for a viewer of an earlier server', async () => {
    const before = await openPage();
    before.output.take(says('Before the restart.'));
    const first = await watch(before.page.url);
    await eventually(() => expect(textsOf(first.text)).toEqual(['Before the restart.']));
    await before.page.close();
    const { page, output } = await openPage({ port: Number(new URL(before.page.url).port) });
    output.take(says('After it.'));
    const second = await watch(page.url, { lastId: first.lastId, text: first.text });
    await eventually(() => expect(textsOf(second.text)).toEqual(['After it.']));
  });

  test('removes everything at once, also for viewers who come later', async () => {
    const { page, output } = await openPage();
    const viewer = await watch(page.url);
    output.take(says('Secret words'));
    await eventually(() => expect(textsOf(viewer.text)).toEqual(['Secret words']));
    const { lastId } = viewer;
    output.take(says('still pending'));
    output.take({ type: 'off' });
    await eventually(() => expect(textsOf(viewer.text)).toEqual([]));
    const later = [await watch(page.url, { lastId }), await watch(page.url)];
    for (const late of later) {
      await eventually(() => expect(late.events).toContain('hello'));
      await eventually(() => expect(late.received).toMatch(/"off"|"paragraphs":\[\]/));
      expect(late.received).not.toMatch(/Secret|pending/);
    }
    expect(viewer.received).not.toContain('pending');
    output.take(says('On again'));
    for (const late of later) await eventually(() => expect(textsOf(late.text)).toEqual(['On again']));
  });

  test('writes nothing to a viewer that does not read, and the latest text when it reads again', async () => {
    let time = 0;
    // Each update is due at once.
    const { page, output } = await openPage({ clock: { ...systemClock, now: () => (time += 1000) } });
    const socket = await rawConnection({ port: Number(new URL(page.url).port) });
    socket.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await eventually(() => expect(page.viewers).toBe(1));
    socket.pause();
    const word = 'x'.repeat(1_000_000);
    const updates = 40;
    for (let index = 0; index < updates; index++) {
      output.take(says(`word${index}-${word}`));
      await setImmediate();
    }
    expect(output.report().skipped).toBeGreaterThan(updates / 2);
    socket.resume();
    let bytes = 0;
    let end = '';
    socket.on('data', data => {
      bytes += data.length;
      end = (end + data.toString('latin1')).slice(-2_500_000);
    });
    await eventually(() => expect(end.includes(`word${updates - 1}-`)).toBe(true));
    expect(bytes).toBeLessThan((updates * word.length) / 2);
  });

  test('refuses viewers above its limit, and serves the next when one leaves', async () => {
    const { page } = await openPage({ maxViewers: 2 });
    const [first] = await Promise.all([watch(page.url), watch(page.url)]);
    await eventually(() => expect(page.viewers).toBe(2));
    const refused = await fetch(`${page.url}events`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    await first.close();
    await eventually(() => expect(page.viewers).toBe(1));
    await watch(page.url);
  });

  describe('that is full', () => {
    const statusOf = async (url: string) => (await watchBarely({ url })).status;
    /** Answers the last ping of a viewer, as the page does. */
    const answer = async (url: string, viewer: PageViewer, before = '') => {
      await eventually(() => expect(viewer.ping).not.toBe(before));
      const { status, headers } = await fetch(new URL(`events/${viewer.ping}`, url));
      expect([status, headers.get('cache-control')]).toEqual([204, 'no-store']);
    };

    test('admits a viewer in place of one that has not answered a ping for a minute, not of one that has', async () => {
      const clock = new VirtualClock();
      const { page } = await openPage({ maxViewers: 3, clock });
      const reader = await watch(page.url);
      const silent = await watchBarely({ url: page.url });
      const former = await watch(page.url);
      await Promise.all([answer(page.url, reader), answer(page.url, former)]);
      expect(await statusOf(page.url)).toBe(503);
      for (let round = 0; round < 5; round++) {
        const before = reader.ping;
        await clock.advanceAsync(15_000);
        await answer(page.url, reader, before);
      }
      expect(await statusOf(page.url)).toBe(200);
      await silent.ended;
      expect(await statusOf(page.url)).toBe(200);
      await former.ended;
      expect(await statusOf(page.url)).toBe(503);
      expect(page.viewers).toBe(3);
    });

    test('takes the id of a ping once, and no other', async () => {
      const clock = new VirtualClock();
      const { page } = await openPage({ maxViewers: 1, clock });
      const viewer = await watch(page.url);
      await answer(page.url, viewer);
      const { ping: used } = viewer;
      // No ping reaches a viewer whose clock stands: the time is that of the answers only.
      for (const id of [used, 'none', 'x'.repeat(5000)]) {
        expect((await fetch(new URL(`events/${id}`, page.url))).status).toBe(204);
      }
      await clock.advanceAsync(59_000);
      for (const id of [used, 'none']) await fetch(new URL(`events/${id}`, page.url));
      expect(await statusOf(page.url)).toBe(503);
      await clock.advanceAsync(2000);
      expect(await statusOf(page.url)).toBe(200);
      await viewer.ended;
    });

    test('gives each viewer pings of its own, which have no order', async () => {
      const { page } = await openPage();
      const viewers = await Promise.all([watch(page.url), watch(page.url)]);
      for (const viewer of viewers) await eventually(() => expect(viewer.ping).toMatch(/^\w{14}$/));
      expect(viewers[0]!.ping).not.toBe(viewers[1]!.ping);
    });
  });

  test.runIf(hasLoopbackNetwork)('admits a viewer in place of one of the address that has most', async () => {
    const { page, output } = await openPage({ maxViewers: 3 });
    const greedy = [await watchFrom('127.0.0.2'), await watchFrom('127.0.0.2'), await watchFrom('127.0.0.2')];
    const other = await watchFrom('127.0.0.3');
    expect([other.status, page.viewers]).toEqual([200, 3]);
    await greedy[2]!.ended;
    // The place of an equal would only make the viewers replace each other.
    expect((await watchFrom('127.0.0.3')).status).toBe(503);
    expect((await watchFrom('127.0.0.2')).status).toBe(503);
    output.take(says('Good morning.'));
    for (const viewer of [greedy[0]!, greedy[1]!, other]) {
      await eventually(() => expect(viewer.received()).toContain('Good morning.'));
    }

    function watchFrom(localAddress: string) {
      return watchBarely({ url: page.url, localAddress });
    }
  });

  test.runIf(hasLoopbackNetwork)('distinguishes the viewers behind a trusted proxy', async () => {
    const { page } = await openPage({ maxViewers: 2, trustProxy: ['127.0.0.8/31'] });
    const from = async (localAddress: string, forwardedFor: string) => {
      const headers = { 'x-forwarded-for': forwardedFor };
      return (await watchBarely({ url: page.url, localAddress, headers })).status;
    };
    expect(await from('127.0.0.9', '203.0.113.1')).toBe(200);
    expect(await from('127.0.0.9', '203.0.113.1')).toBe(200);
    expect(await from('127.0.0.9', '198.51.100.7, 203.0.113.1, 127.0.0.8')).toBe(503);
    expect(await from('127.0.0.9', '203.0.113.2')).toBe(200);
    expect(await from('127.0.0.2', '203.0.113.1')).toBe(503);
    await expect(openPage({ trustProxy: ['proxy.example'] })).rejects.toThrow(InvalidArgumentError);
  });
});

describe('the server of a page', () => {
  test('has strict headers, and nothing from elsewhere in its document', async () => {
    const { page } = await openPage();
    const response = await fetch(page.url);
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
    expect(policy).not.toMatch(/unsafe|\*|frame-ancestors/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const document = await response.text();
    expect(document).not.toMatch(/https?:|<style|style=|<script(?![^>]* src=)/);
    for (const [, path] of document.matchAll(/(?:src|href)="(\.[^"]+)"/g)) {
      const asset = await fetch(new URL(path!, page.url));
      expect([path, asset.status, asset.headers.get('cache-control')]).toEqual([
        path,
        200,
        expect.stringContaining('immutable'),
      ]);
    }
  });

  test('answers HEAD without a body, and refuses other methods, other paths and long headers', async () => {
    const { page } = await openPage();
    const port = Number(new URL(page.url).port);
    const statusOf = async (path: string, init?: RequestInit) =>
      (await fetch(`${page.url}${path}`, init)).status;
    const head = await fetch(`${page.url}events`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
    expect(await statusOf('', { method: 'POST', body: 'text' })).toBe(405);
    expect(await statusOf('other')).toBe(404);
    expect(await statusOf('other/events')).toBe(404);
    expect(await statusOf('assets/none.js')).toBe(404);
    expect(
      await rawRequest(
        { port },
        'GET /assets/../../../package.json HTTP/1.1',
        'Host: localhost',
        'Connection: close',
      ),
    ).toMatch(/^HTTP\/1.1 404/);
    expect(
      await rawRequest({ port }, 'GET http://[ HTTP/1.1', 'Host: localhost', 'Connection: close'),
    ).toMatch(/^HTTP\/1.1 400/);
    const long = await rawRequest(
      { port },
      'GET / HTTP/1.1',
      'Host: localhost',
      `X-Long: ${'x'.repeat(10_000)}`,
    );
    expect(long).not.toMatch(/^HTTP\/1.1 200/);
  });

  test('answers nothing to a request for another host, as a web site of that name would read it', async () => {
    const [port] = await freePorts(1);
    const { page } = await openPage({ port, publicUrl: 'https://live.example/hall' });
    expect(page.url).toBe('https://live.example/hall/');
    page.route('/metrics', (_, response) => void response.end('figures'));
    const url = `http://127.0.0.1:${port}/`;
    const statusOf = async (path: string, host: string) =>
      (await watchBarely({ url, path, headers: { host } })).status;
    for (const path of ['', 'events', 'metrics', 'operator', 'none']) {
      expect([path, await statusOf(path, `evil.example:${port}`)]).toEqual([path, 421]);
    }
    expect(await statusOf('metrics', `localhost:${port}`)).toBe(200);
    expect(await statusOf('events', 'live.example')).toBe(200);
  });

  test('leads from its root to the first captions when none are there, with the same settings', async () => {
    const { page } = await openPage();
    const other = await openCaptionPage({ port: 0 });
    try {
      other.track('hall', { title: 'Hall' });
      const response = await fetch(`${other.url}?rows=2`, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([302, './hall?rows=2']);
      const viewer = await watch(new URL('hall/', other.url).href);
      await eventually(() => expect(viewer.received).toContain('"title":"Hall"'));
    } finally {
      await other.close();
    }
    expect(() => page.track('')).toThrow(InvalidArgumentError);
    expect(() => page.track('a/b')).toThrow(InvalidArgumentError);
    expect(() => page.track('events')).toThrow(InvalidArgumentError);
  });

  test('has a list of several captions at its root and at unknown addresses, and leads to those that are meant', async () => {
    await using other = await openCaptionPage({ port: 0 });
    for (const name of ['hall-1', 'hall-1-de']) other.track(name, { title: name });
    expect(other.addresses).toEqual([`${other.url}hall-1`, `${other.url}hall-1-de`]);
    const at = async (path: string) => {
      const response = await fetch(new URL(path, other.url), { redirect: 'manual' });
      return [response.status, response.headers.get('location')];
    };
    expect(await at('')).toEqual([200, null]);
    expect(await at('hall-2')).toEqual([404, null]);
    expect(await at('a/b')).toEqual([404, null]);
    expect(await at('hall-1/de?rows=2')).toEqual([302, '../hall-1-de?rows=2']);
    for (const path of ['', 'hall-2/']) {
      const viewer = await watch(new URL(path, other.url).href);
      await eventually(() => expect(viewer.received).toContain('"choices":[{"name":"hall-1"'));
      expect(viewer.received).toContain('"name":"","title":""');
    }
  });

  test('has the headers of its own answers on those of a route', async () => {
    const { page } = await openPage();
    page.route('/health', (_, response) => void response.end('{}'));
    const { headers } = await fetch(new URL('health', page.url));
    expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
      'nosniff',
      'no-store',
    ]);
  });

  test('gives a request to the route with the longest path, and answers its error with 500', async () => {
    const notes: string[] = [];
    const { page } = await openPage({ onNote: note => notes.push(note) });
    page.route('/operator', (_, response) => void response.end('page'));
    page.route(
      '/operator/command',
      (request, response, url) => void response.end(`${request.method} ${url.search}`),
    );
    page.route('/broken', async () => {
      throw new Error('It broke.');
    });
    const get = async (path: string, init?: RequestInit) =>
      (await fetch(new URL(path, page.url), init)).text();
    expect(await get('/operator')).toBe('page');
    expect(await get('/operator/other')).toBe('page');
    expect(await get('/operator/command?a=1', { method: 'POST' })).toBe('POST ?a=1');
    expect((await fetch(new URL('/broken', page.url))).status).toBe(500);
    expect(notes).toEqual(['The page could not answer a request: It broke.']);
    expect((await fetch(new URL('/operators', page.url))).status).toBe(404);
  });

  test('names a port in use, and an address that is not its own, in one line', async () => {
    const { page } = await openPage();
    const port = Number(new URL(page.url).port);
    await expect(openCaptionPage({ port })).rejects.toThrow(
      `Cannot open the page on '127.0.0.1', port ${port}: another program uses it. Choose another port.`,
    );
    await expect(openCaptionPage({ port: 0, host: '192.0.2.1' })).rejects.toThrow(
      /does not belong to this computer/,
    );
  });

  test('is checked before the event', async () => {
    const { page } = await openPage();
    expect(await checkCaptionPage({ port: 0 })).toMatch(
      /^The page can be opened at http:\/\/127.0.0.1:\d+\/\.$/,
    );
    const port = Number(new URL(page.url).port);
    await expect(checkCaptionPage({ port })).rejects.toThrow(/another program uses it/);
    await expect(checkCaptionPage({ port: 70_000 })).rejects.toThrow(/^Cannot open the page/);
  });

  test('has its address in the network when it listens on all', async () => {
    const page = await openCaptionPage({ port: 0, host: '0.0.0.0' });
    expect(page.url).toMatch(/^http:\/\/(?!0\.0\.0\.0)[\d.]+:\d+\/$/);
    await page.close();
    await page.close();
  });

  test.each([
    ['8080', { port: 8080 }],
    ['0.0.0.0:80', { port: 80, host: '0.0.0.0' }],
    ['[::1]:8080', { port: 8080, host: '::1' }],
    ['localhost:1', { port: 1, host: 'localhost' }],
  ])('reads the address %s', (text, address) => {
    expect(pageAddress(text)).toEqual(address);
  });

  test.each(['', 'x', '70000', '-1', 'http://x:1', '1.5', ':80'])('refuses the address %j', text => {
    expect(() => pageAddress(text)).toThrow(InvalidArgumentError);
  });
});
