import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createService } from '../../../src/service/app.ts';
import { copiedDatabase } from '../../helpers/dataDirectory.ts';
import { keptService } from '../../helpers/keptService.ts';
import { request, scriptedServiceOptions, startTestService } from '../../helpers/testService.ts';

const service = keptService({ open: true });

/** The headers of a page of the service in a browser of the same computer. */
const ownOrigin = () => ({ origin: service().url });

/** Returns the facts that a service has for its page. */
async function factsOf(url: string, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  send(`${url}/front.json`, { method: 'POST', headers }, response => text(response).then(resolve, reject))
    .on('error', reject)
    .end();
  return JSON.parse(await promise);
}

describe('the page / of a service', () => {
  test('loads nothing from elsewhere, and runs no script but its own', async () => {
    const { status, headers, text: html } = await request(service(), '/', { headers: { authorization: '' } });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain("frame-ancestors 'none'");
    const loaded = [...html.matchAll(/(?:src|href)="(\.[^"]*assets[^"]*)"/g)].map(match => match[1]!);
    expect(loaded.length).toBeGreaterThan(1);
    for (const address of loaded) {
      expect((await fetch(new URL(address, `${service().url}/`))).status).toBe(200);
    }
    expect((await request(service(), '/assets/../../package.json')).status).toBe(404);
  });

  test('has what a region has', async () => {
    const eu = await startTestService({ region: 'eu', dataDirectory: await copiedDatabase() });
    expect(await factsOf(eu.url, {})).toEqual({ streaming: false, desk: false });
    expect(await factsOf(service().url, {})).toEqual({ streaming: true, desk: true });
  });
});

describe('a service that is open on its computer', () => {
  test('gives its page a token of the first account', async () => {
    const { token } = await factsOf(service().url, ownOrigin());
    const headers = { authorization: `Bearer ${token}` };
    const answer = await request(service(), '/speechtotext/v1/account', { headers });
    expect(answer.json()).toMatchObject({ email: 'owner@localhost' });
    // The token of the account still counts.
    expect((await request(service(), '/speechtotext/v1/account')).status).toBe(200);
  });

  test.each<[string, () => Record<string, string>]>([
    ['a page of another site', () => ({ origin: 'https://other.example' })],
    ['a page of another port', () => ({ origin: 'http://127.0.0.1:1' })],
    ['a program', () => ({})],
    ['a name that leads here', () => ({ origin: 'http://speech.example', host: 'speech.example' })],
    ['a page behind a proxy', () => ({ origin: 'https://speech.example' })],
    ['a proxy', () => ({ ...ownOrigin(), 'x-forwarded-for': '192.0.2.1' })],
    ['another proxy', () => ({ ...ownOrigin(), forwarded: 'for=192.0.2.1' })],
  ])('gives none to %s', async (_who, headers) => {
    expect(await factsOf(service().url, headers())).toEqual({ streaming: true, desk: true });
  });

  test('gives none unless it was opened', async () => {
    const closed = await startTestService({ dataDirectory: await copiedDatabase() });
    expect(await factsOf(closed.url, { origin: closed.url })).toEqual({ streaming: true, desk: true });
  });

  test.each([{ host: '0.0.0.0' }, { publicUrl: 'https://speech.example' }, { trustProxy: ['10.0.0.1'] }])(
    'is on a loopback address, without proxies: not with %o',
    async options => {
      const opened = createService({ ...scriptedServiceOptions(), open: true, ...options });
      await expect(opened).rejects.toThrow("Option 'open' is for this computer alone");
    },
  );
});
