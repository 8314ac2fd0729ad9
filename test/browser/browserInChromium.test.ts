// @module-tag tools

import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_MESSAGE_BYTES } from '../../src/protocol/limits.ts';
import { moonshine } from '../engines/moonshine/moonshine.ts';
import { openTab, startChromium } from '../helpers/chromium.ts';
import { eventually } from '../helpers/eventually.ts';
import { startFaultProxy } from '../helpers/faultProxy.ts';
import { freePorts } from '../helpers/freePorts.ts';
import { startHttpService } from '../helpers/httpService.ts';
import { builtPackages } from '../helpers/installedPackage.ts';
import { socketServer } from '../helpers/loopbackServer.ts';
import { needsChromium } from '../helpers/needs.ts';
import { expectAllWords } from '../helpers/recoveryCase.ts';
import { LEVEL_STEP } from '../helpers/scriptedRecognizer.ts';
import { startStreamService } from '../helpers/streamService.ts';
import { startTestService, TEST_TOKEN } from '../helpers/testService.ts';
import { openTestPage, type TestPage } from './testPage.ts';

const SPEECH = new URL('../../samples/not-ill-disposed.wav', import.meta.url).pathname;

let browser: Browser;
beforeEach(async context => {
  needsChromium(context);
  browser ??= await startChromium([
    '--use-fake-device-for-media-stream',
    '--host-resolver-rules=MAP insecure.test 127.0.0.1',
    `--use-file-for-fake-audio-capture=${SPEECH}`,
  ]);
});
afterAll(() => browser?.close());

const options = (url: string) => ({ url, token: TEST_TOKEN, skipPostprocessing: true });

/** Utterances of 0.9 s with pauses of half a second; no word is said twice within 45 s. */
const speech = (levels: number) =>
  Array.from({ length: levels }, (_, index) => (index % 14 < 9 ? (index % 450) + 1 : 0));

/** A proxy that reads no more of its first connection after some audio. */
async function startStuckProxy(service: { readonly port: number }): Promise<string> {
  let isStuck = true;
  const { url } = await socketServer(client => {
    const upstream = connect(service.port, '127.0.0.1');
    upstream.on('error', () => {}).pipe(client);
    client.on('close', () => upstream.destroy());
    client.pipe(upstream);
    if (!isStuck) return;
    isStuck = false;
    let bytes = 0;
    client.on('data', data => {
      bytes += data.length;
      if (bytes > 100_000) client.unpipe(upstream).pause();
    });
  });
  return url;
}

/** Waits for so many connections of a stream that a service has taken. */
async function untilConnected(page: TestPage, count: number): Promise<void> {
  await eventually(async () => {
    const { statuses, error } = await page.state();
    expect(error).toBeUndefined();
    expect(statuses.filter(({ type }) => type === 'connected').length).toBeGreaterThanOrEqual(count);
  });
}

/** Waits for the end of a stream that is to have each word once. */
async function expectWholeSpeech(page: TestPage, levels: readonly number[]): Promise<void> {
  await eventually(async () => expect(await page.state()).toMatchObject({ isDone: true }));
  expectAllWords({ events: (await page.state()).events, error: undefined }, { levels });
}

describe('a stream of a page', { timeout: 180_000 }, () => {
  test('has each word once when it is cut twenty times', async () => {
    const service = await startTestService();
    await using proxy = await startFaultProxy(service, []);
    const page = await openTestPage(browser);
    // More than the cuts take on any machine: the speech is ended after the last.
    const levels = speech(3000);
    await page.speak(levels, { ...options(proxy.url), resume: { baseDelayMs: 50, maxDelayMs: 200 } });
    for (let cut = 1; cut <= 20; cut++) {
      await untilConnected(page, cut);
      // Some cuts come before any word of a connection, others in the middle of an utterance, or after its final.
      const { length } = (await page.state()).events;
      await eventually(async () => {
        expect((await page.state()).events.length).toBeGreaterThanOrEqual(length + (cut % 12));
      });
      proxy.cut();
    }
    await expectWholeSpeech(page, levels.slice(0, await page.hush()));
    expect(page.complaints.filter(text => !text.includes('WebSocket'))).toEqual([]);
  });

  test('goes on when the browser was offline', async () => {
    const service = await startTestService();
    const page = await openTestPage(browser);
    const levels = speech(100);
    await page.speak(levels, { ...options(service.url), resume: { baseDelayMs: 50, maxDelayMs: 200 } });
    await untilConnected(page, 1);
    await page.context.setOffline(true);
    await eventually(async () => {
      const types = (await page.state()).statuses.map(({ type }) => type);
      expect(types).toContain('reconnecting');
    });
    await page.context.setOffline(false);
    await expectWholeSpeech(page, levels);
    const { statuses } = await page.state();
    expect(statuses.flatMap(status => ('error' in status ? [String(status.error)] : []))).toContainEqual(
      expect.stringMatching(/: The browser is offline\.$/),
    );
  });

  test('goes on when a service takes no more audio', async () => {
    const service = await startTestService();
    const url = await startStuckProxy(service);
    const page = await openTestPage(browser);
    // Sixty times real time, as the system takes some megabytes before audio stays in the page.
    const levels = Array.from({ length: 12_000 }, (_, index) => (index % 14 < 9 ? (index % 200) + 1 : 0));
    await page.speak(levels, options(url), 60);
    await eventually(async () => {
      const lost = (await page.state()).statuses.find(({ type }) => type === 'reconnecting');
      expect(lost).toMatchObject({ error: { message: expect.stringContaining('No audio leaves') } });
    });
    await untilConnected(page, 2);
  });

  test('fails when its token is refused, with the name of the error in a minified bundle too', async () => {
    const service = await startTestService();
    const page = await openTestPage(browser);
    await page.speak(speech(20), { ...options(service.url), token: 'another' });
    const error = { code: 'unauthorized', name: 'UnauthorizedError' };
    await eventually(async () => expect((await page.state()).error).toMatchObject(error));
  });

  test.each(["connect-src 'self' https:", 'connect-src wss://other.example', ''])(
    'fails at once where the policy of the page does not allow the service: %s',
    async connect => {
      const page = await openTestPage(browser, {
        policy: `script-src 'self' 'wasm-unsafe-eval'; ${connect}`,
      });
      await page.speak(speech(20), options('https://speech.example:8443/base'));
      const startedAt = performance.now();
      await eventually(async () => expect((await page.state()).error).toBeDefined());
      expect(performance.now() - startedAt).toBeLessThan(3000);
      const { error, statuses } = await page.state();
      expect(error).toMatchObject({
        code: 'unreachable',
        message: expect.stringMatching(/connect-src .*'wss:\/\/speech\.example:8443'/),
      });
      expect(error!.message).not.toMatch(/access_token|\.\./);
      expect(statuses.map(({ type }) => type)).toEqual(['connecting', 'failed']);
    },
  );

  test('is not ended by a policy that only reports, nor by the policy for other addresses', async () => {
    const service = await startTestService();
    const page = await openTestPage(browser, { reportOnly: "connect-src 'none'" });
    await page.speak(speech(20), options(service.url));
    await page.page.evaluate(`fetch('data:,').catch(() => {})`);
    await expectWholeSpeech(page, speech(20));
    expect(page.complaints.join()).toContain('Content Security Policy');
  });

  test('goes over to a standby that the policy of the page allows', async () => {
    const service = await startTestService();
    const policy = `script-src 'self' 'wasm-unsafe-eval'; connect-src ${service.url.replace('http', 'ws')}`;
    const page = await openTestPage(browser, { policy });
    const standby = options(service.url);
    await page.speak(speech(20), { ...options('https://speech.example'), standby });
    await expectWholeSpeech(page, speech(20));
  });

  test("says what to add where the policy of the page lacks 'wasm-unsafe-eval'", async () => {
    const service = await startTestService();
    const page = await openTestPage(browser, { policy: "script-src 'self' blob:; connect-src *" });
    const expectRemedy = () =>
      eventually(async () =>
        expect((await page.state()).error).toMatchObject({
          name: 'RxscribeError',
          message: expect.stringMatching(/'wasm-unsafe-eval' to script-src .*Content-Security-Policy/),
        }),
      );
    await page.speak(speech(20), options(service.url));
    await expectRemedy();
    await page.listen(options(service.url));
    await expectRemedy();
  });

  test('fails at a message that is too long', async () => {
    await using service = await startStreamService();
    const page = await openTestPage(browser);
    await page.speak(speech(100), options(service.url));
    await eventually(() => expect(service.peers).toHaveLength(1));
    service.peers[0]!.say('x'.repeat(MAX_MESSAGE_BYTES + 1));
    await eventually(async () => expect((await page.state()).error).toMatchObject({ code: 'protocol' }));
  });

  test('keeps no more audio than it may', async () => {
    const page = await openTestPage(browser);
    const nobody = `http://127.0.0.1:${(await freePorts(1))[0]}`;
    await page.speak(speech(40), { ...options(nobody), maxBufferedSeconds: 2 });
    await eventually(async () => expect((await page.state()).error).toMatchObject({ code: 'overflow' }));
  });

  test('needs no bundler with the files of the package', async () => {
    const service = await startTestService();
    const directory = join((await builtPackages()).rxscribe.directory, 'dist/browser');
    const [browserFile, rxjs] = await Promise.all(
      ['browser.js', 'rxjs.js'].map(name => readFile(join(directory, name), 'utf8')),
    );
    const map = JSON.stringify({ imports: { 'rxscribe/browser': '/browser.js', rxjs: '/rxjs.js' } });
    const script = `
      import { of } from 'rxjs';
      import { transcribe, writePlainText, mergeTranscript } from 'rxscribe/browser';
      const samples = new Float32Array(16000).fill(${(7 * LEVEL_STEP) / 32_768});
      of({ startFrame: 0, sampleRate: 16000, channels: 1, samples })
        .pipe(transcribe(${JSON.stringify(options(service.url))}), mergeTranscript())
        .subscribe(({ transcript }) => (document.title = writePlainText(transcript)));`;
    const html = `<!doctype html><script type="importmap">${map}</script><script type="module">${script}</script>`;
    const type = (name: string) => ({ 'content-type': `text/${name}` });
    const site = await startHttpService(({ url }) => {
      if (url === '/browser.js') return { text: browserFile!, headers: type('javascript') };
      return url === '/rxjs.js'
        ? { text: rxjs!, headers: type('javascript') }
        : { text: html, headers: type('html') };
    });
    const { page } = await openTab(browser);
    await page.goto(site.url);
    await eventually(async () => expect(await page.title()).toContain('w7'));
  });

  test('has no files', async () => {
    const page = await openTestPage(browser);
    await page.speak(speech(5), { ...options('http://127.0.0.1:1'), spool: { path: 'talk.spool' } });
    await eventually(async () =>
      expect((await page.state()).error).toMatchObject({ message: expect.stringContaining('needs Node') }),
    );
  });
});

/** Has a page keep the streams and contexts that it opens. */
function observeDevices(page: TestPage): Promise<unknown> {
  return page.page.evaluate(`{
    window.streams = [];
    window.contexts = [];
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async wanted => {
      const stream = await open(wanted);
      streams.push(stream);
      return stream;
    };
    const Context = AudioContext;
    window.AudioContext = function () {
      contexts.push(new Context());
      return contexts.at(-1);
    };
  }`);
}

describe('the microphone of a page', { timeout: 180_000 }, () => {
  test('is transcribed by the recogniser', async context => {
    const service = await startTestService({ recognizer: await moonshine(context) });
    const page = await openTestPage(browser);
    await page.listen(options(service.url), {
      constraints: { autoGainControl: false, echoCancellation: false, noiseSuppression: false },
    });
    await eventually(async () => {
      const { text, error } = await page.state();
      expect(error).toBeUndefined();
      expect(text).toMatch(/young man/);
    });
    expect(page.complaints).toEqual([]);
  });

  test('is asked for again when it is lost', async () => {
    const service = await startTestService();
    const page = await openTestPage(browser);
    await observeDevices(page);
    await page.listen(options(service.url));
    await untilConnected(page, 1);
    await page.page.evaluate(`streams[0].getTracks()[0].dispatchEvent(new Event('ended'))`);
    await eventually(async () => expect((await page.state()).devices).toEqual(['lost', 'back']));
    const states =
      'streams.map(stream => stream.getTracks()[0].readyState).concat(contexts.map(({ state }) => state))';
    expect(await page.page.evaluate(states)).toEqual(['ended', 'live', 'running']);
    await page.page.evaluate('subscription.unsubscribe()');
    await eventually(async () =>
      expect(await page.page.evaluate(states)).toEqual(['ended', 'ended', 'closed']),
    );
  });

  test('goes on after a browser has suspended its audio, with the time of that in its positions', async () => {
    const service = await startTestService();
    const page = await openTestPage(browser);
    await observeDevices(page);
    await page.listen(options(service.url));
    await untilConnected(page, 1);
    const sentFrame = async () => {
      const { statuses } = await page.state();
      return Math.max(
        0,
        ...statuses.flatMap(status => (status.type === 'progress' ? [status.sentFrame] : [])),
      );
    };
    await eventually(async () => expect(await sentFrame()).toBeGreaterThan(0));
    const startMs = Date.now();
    await page.page.evaluate('contexts[0].suspend()');
    await eventually(async () => expect((await page.state()).devices).toEqual(['waiting', 'lost']));
    const suspendedSeconds = (Date.now() - startMs) / 1000;
    const before = await sentFrame();
    await page.page.evaluate('contexts[0].resume()');
    await eventually(async () => {
      expect((await page.state()).devices.at(-1)).toBe('back');
      expect((await sentFrame()) - before).toBeGreaterThan((suspendedSeconds - 0.5) * 16_000);
    });
  });

  test('needs a secure page', async () => {
    const page = await openTestPage(browser, { host: 'insecure.test' });
    await page.listen(options('http://127.0.0.1:1'));
    await eventually(async () =>
      expect((await page.state()).error).toMatchObject({
        code: 'audio-device',
        message: expect.stringContaining('not secure'),
      }),
    );
  });

  test('that is not allowed is an error with a remedy', async () => {
    const page = await openTestPage(browser, { permissions: [] });
    await page.listen(options('http://127.0.0.1:1'));
    await eventually(async () =>
      expect((await page.state()).error).toMatchObject({
        code: 'audio-device',
        message: expect.stringContaining('not allowed'),
      }),
    );
  });
});

describe('the sound of a tab', { timeout: 180_000 }, () => {
  /** Has the browser share what a page gives, as a person would choose it. */
  const choose = (page: TestPage, stream: string) =>
    page.page.evaluate(`navigator.mediaDevices.getDisplayMedia = async () => (window.shared = ${stream})`);

  test('is transcribed until its sharing ends', async () => {
    const service = await startTestService();
    const page = await openTestPage(browser);
    await page.page.evaluate(`{
      const context = new AudioContext();
      window.tone = new MediaStreamAudioDestinationNode(context);
      const source = new ConstantSourceNode(context, { offset: ${(7 * LEVEL_STEP) / 32_768} });
      source.connect(tone);
      source.start();
    }`);
    await choose(page, 'tone.stream');
    await page.share(options(service.url));
    // The first block, with the beginning of the tone in it, is another word.
    await eventually(async () => expect(JSON.stringify((await page.state()).events)).toContain('w7'));
    await page.page.evaluate(`shared.getTracks()[0].dispatchEvent(new Event('ended'))`);
    await eventually(async () =>
      expect(await page.state()).toMatchObject({ isDone: true, text: expect.stringContaining('w7') }),
    );
    expect(await page.page.evaluate('shared.getTracks()[0].readyState')).toBe('ended');
  });

  test('must be shared', async () => {
    const page = await openTestPage(browser);
    await choose(page, 'new MediaStream()');
    await page.share(options('http://127.0.0.1:1'));
    await eventually(async () =>
      expect((await page.state()).error).toMatchObject({
        code: 'audio-device',
        message: expect.stringContaining('Share it with its sound'),
      }),
    );
  });
});
