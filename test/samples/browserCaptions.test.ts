// @module-tag tools

import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { moonshine } from '../engines/moonshine/moonshine.ts';
import { axeFindings } from '../helpers/axeFindings.ts';
import { openTab, startChromium } from '../helpers/chromium.ts';
import { startProgram } from '../helpers/commandLine.ts';
import { startHttpService } from '../helpers/httpService.ts';
import { type InstalledPackage, installPackage } from '../helpers/installedPackage.ts';
import { needsChromium } from '../helpers/needs.ts';
import { startTestService, TEST_TOKEN } from '../helpers/testService.ts';

const SAMPLES = new URL('../../samples/', import.meta.url).pathname;

let browser: Browser;
let project: InstalledPackage;
// Packing takes longest.
beforeAll(async () => {
  project = await installPackage();
  for (const name of ['browser-captions.ts', 'browser-captions.html'])
    await copyFile(join(SAMPLES, name), join(project.directory, name));
  await writeFile(join(project.directory, 'package.json'), '{ "type": "module", "private": true }');
}, 400_000);
beforeEach(async context => {
  needsChromium(context);
  browser ??= await startChromium([
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${join(SAMPLES, 'not-ill-disposed.wav')}`,
  ]);
});
afterAll(async () => {
  await browser?.close();
  await project?.[Symbol.asyncDispose]();
});

function startSite(env: NodeJS.ProcessEnv) {
  const command = [process.execPath, join(project.directory, 'browser-captions.ts')] as const;
  const running = startProgram(command, { env: { PORT: '0', ...env } });
  onTestFinished(() => running[Symbol.asyncDispose]());
  return running;
}

/** Opens the page of a site that uses a service. */
async function openSite(url: string, { token = TEST_TOKEN, permissions = ['microphone'] } = {}) {
  const site = startSite({ RXSCRIBE_URL: url, RXSCRIBE_TOKEN: token });
  const address = /http:\S+/.exec(await site.errorLine(/^Open /))![0];
  const tab = await openTab(browser, { permissions });
  const sockets: string[] = [];
  tab.page.on('websocket', socket => sockets.push(socket.url()));
  const response = await tab.page.goto(address);
  const text = (selector: string) => expect.poll(() => tab.page.locator(selector).innerText());
  return { ...tab, site, address, sockets, text, policy: response!.headers()['content-security-policy']! };
}

type Site = Awaited<ReturnType<typeof openSite>>;

/** Presses the button by the keyboard alone. */
async function press({ page, text }: Site, label: string): Promise<void> {
  await text('button').toBe(label);
  if (!(await page.evaluate("document.activeElement.matches('button')"))) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
}

/** Starts the captions, which fail after some attempts. */
async function expectFailure(site: Site, problem: string): Promise<void> {
  await press(site, 'Start');
  await site.text('#problem').toBe(problem);
  await site.text('#state').toBe('Stopped.');
  await site.text('button').toBe('Start');
}

describe('the page', { timeout: 300_000 }, () => {
  test('shows what is said, with a strict policy and a token of its own', async context => {
    const service = await startTestService({ recognizer: await moonshine(context) });
    const site = await openSite(service.url);
    const { page, text, complaints, sockets } = site;
    await text('#state').toBe('Stopped.');
    await press(site, 'Start');
    await text('#partial').not.toBe('');
    await text('#state').toBe('Listening.');
    await text('#finals').toMatch(/young man/);
    await press(site, 'Stop');
    await text('#state').toBe('Stopped.');
    await text('#partial').toBe('');
    await text('#problem').toBe('');
    // A second run goes on below the first one.
    const said = await page.locator('#finals').innerText();
    await press(site, 'Start');
    await text('#state').toBe('Listening.');
    await press(site, 'Stop');
    await text('#state').toBe('Stopped.');
    await text('#finals').toContain(said.trim());
    expect(complaints).toEqual([]);

    expect(site.policy).not.toMatch(/unsafe-inline|'unsafe-eval'|blob:|\*/);
    const tokens = sockets.map(url => new URL(url).searchParams.get('access_token'));
    expect(tokens.length).toBeGreaterThan(1);
    expect(new Set([...tokens, TEST_TOKEN]).size).toBe(tokens.length + 1);
  });

  test('shows a reason when the service gives no token; the log has more', async () => {
    const service = await startTestService();
    const site = await openSite(service.url, { token: 'another-token' });
    await expectFailure(site, 'Cannot get an access token: this site has no captions at present.');
    expect(await site.site.errorLine(/The service gives no token: 401/)).not.toContain('another-token');
    expect(await axeFindings(site.page)).toEqual([]);
  });

  test('shows a reason when the service takes no stream', async () => {
    const service = await startHttpService(({ method }) =>
      method === 'POST'
        ? { json: { token: 'unknown', expires_on: '2030-01-01T00:00:00Z' } }
        : { status: 401 },
    );
    await expectFailure(await openSite(service.url), 'The service cannot be reached.');
    const [minted] = service.requests;
    expect(minted!.headers.authorization).toBe(`Bearer ${TEST_TOKEN}`);
    expect(minted!.json()).toEqual({ expires_in_seconds: 60, max_sessions: 1 });
  });

  test('shows the reason when the microphone is not allowed', async () => {
    const site = await openSite('http://127.0.0.1:9', { permissions: [] });
    await press(site, 'Start');
    await site.text('#problem').toMatch(/^Cannot use the microphone: it was not allowed/);
    await site.text('#state').toBe('Stopped.');
    expect(site.complaints).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('has no finding of axe-core in its %s colours', async colorScheme => {
    const service = await startTestService();
    const site = await openSite(service.url);
    const { page, text } = site;
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
    await press(site, 'Start');
    await text('#partial').not.toBe('');
    expect(await axeFindings(page)).toEqual([]);
  });
});

test('the server ends without a token of the service, and says what to set', async () => {
  const { code, stderr } = await startSite({}).done;
  expect(code).toBe(1);
  expect(stderr).toContain('Set RXSCRIBE_TOKEN, and RXSCRIBE_URL');
});
