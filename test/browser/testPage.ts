import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { TranscribeOptions } from '../../src/client/stream/options.ts';
import type { StreamStatus } from '../../src/client/stream/status.ts';
import type { LiveEvent } from '../../src/transcript/model/events.ts';
import { openTab, type Tab } from '../helpers/chromium.ts';
import { startHttpService } from '../helpers/httpService.ts';
import { LEVEL_STEP } from '../helpers/scriptedRecognizer.ts';

/** Record that a page of a test keeps of its stream. */
export interface PageState {
  readonly events: readonly LiveEvent[];
  readonly statuses: readonly StreamStatus[];
  /** Statuses of the microphone. */
  readonly devices: readonly string[];
  readonly text: string;
  readonly isDone: boolean;
  readonly error?: { readonly name: string; readonly code?: string; readonly message: string };
}

/** The page. Its speech is that of the scripted recogniser: a word or silence for each 100 ms. */
const CODE = `
import { Observable, tap } from 'rxjs';
import { browserMicrophone, displayAudio, mergeTranscript, resample, transcribe, writePlainText } from 'rxscribe/browser';

function speech(levels, speed) {
  return new Observable(subscriber => {
    let index = 0;
    const startMs = performance.now();
    const give = () => {
      if (window.isHushed) return subscriber.complete();
      while (index < levels.length && (performance.now() - startMs) * speed >= index * 100) {
        const samples = new Float32Array(1600).fill((levels[index] * ${LEVEL_STEP}) / 32768);
        subscriber.next({ startFrame: index++ * 1600, sampleRate: 16000, channels: 1, samples });
      }
      window.spoken = index;
      if (index === levels.length) subscriber.complete();
    };
    const interval = setInterval(give, 20);
    return () => clearInterval(interval);
  });
}

function run(audio$, options) {
  const state = { events: [], statuses: [], devices: window.state?.devices ?? [], text: '', isDone: false };
  window.state = state;
  const live = transcribe(options);
  live.status$.subscribe(status => state.statuses.push(status));
  window.subscription = audio$
    .pipe(live, tap(event => state.events.push(event)), mergeTranscript())
    .subscribe({
      next: ({ transcript }) => (state.text = writePlainText(transcript)),
      error: ({ name, code, message }) => (state.error = { name, code, message }),
      complete: () => (state.isDone = true),
    });
}
window.speak = (levels, options, speed) => run(speech(levels, speed), options);
window.share = options => run(displayAudio().pipe(resample()), options);
window.listen = (options, microphone) => {
  const state = { devices: [] };
  window.state = state;
  run(browserMicrophone({ ...microphone, onStatus: ({ type }) => state.devices.push(type) }).pipe(resample()), options);
};
`;

let bundle: Promise<string> | undefined;

/** Bundles modules of a page as an application does. */
export async function bundled(code: string, external: readonly string[] = []): Promise<string> {
  const root = new URL('../..', import.meta.url).pathname;
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    alias: { 'rxscribe/browser': `${root}src/browser/browser.ts` },
    external: [...external],
    write: false,
  });
  return outputFiles[0]!.text;
}

/** A tab with a page that has nothing but a strict policy and `rxscribe/browser`. */
export interface TestPage extends Tab {
  state(): Promise<PageState>;
  speak(levels: readonly number[], options: TranscribeOptions, speed?: number): Promise<void>;
  /** Ends the speech, and resolves with the number of levels that were given. */
  hush(): Promise<number>;
  listen(options: TranscribeOptions, microphone?: object): Promise<void>;
  /** Transcribes the sound of what the browser shares. */
  share(options: TranscribeOptions): Promise<void>;
}

export interface TestPageOptions {
  readonly permissions?: readonly string[];
  /** Name of the host of the page. */
  readonly host?: string;
  /** Content-Security-Policy of the page, after `default-src 'none'`. */
  readonly policy?: string;
  /** A policy that is only reported. Default: none. */
  readonly reportOnly?: string;
}

/** A strict policy that allows what the toolkit needs. */
const POLICY = "script-src 'self' blob: 'wasm-unsafe-eval'; connect-src *";

/** Starts a site with the page, which ends with the test. Returns its address. */
export async function startTestSite({
  policy = POLICY,
  reportOnly,
}: Pick<TestPageOptions, 'policy' | 'reportOnly'> = {}): Promise<string> {
  bundle ??= bundled(CODE);
  const script = await bundle;
  const html = '<!doctype html><title>Page</title><script type="module" src="/page.js"></script>';
  const headers = {
    'content-type': 'text/html',
    'content-security-policy': `default-src 'none'; ${policy}`,
    ...(reportOnly !== undefined && { 'content-security-policy-report-only': reportOnly }),
  };
  const site = await startHttpService(({ url }) =>
    url === '/page.js'
      ? { text: script, headers: { 'content-type': 'text/javascript' } }
      : { text: html, headers },
  );
  return site.url;
}

export async function openTestPage(
  browser: Browser,
  { permissions = ['microphone'], host = '127.0.0.1', ...policies }: TestPageOptions = {},
): Promise<TestPage> {
  const url = await startTestSite(policies);
  const tab = await openTab(browser, { permissions: [...permissions] });
  await tab.page.goto(url.replace('127.0.0.1', host));
  const call = (name: string, ...values: unknown[]) =>
    tab.page.evaluate(`${name}(...${JSON.stringify(values)})`) as Promise<void>;
  return {
    ...tab,
    state: () => stateOf(tab.page),
    speak: (levels, options, speed = 1) => call('speak', levels, options, speed),
    hush: () => tab.page.evaluate('window.isHushed = true, window.spoken') as Promise<number>,
    listen: (options, microphone = {}) => call('listen', options, microphone),
    share: options => call('share', options),
  };
}

function stateOf(page: Page): Promise<PageState> {
  return page.evaluate('({ events: [], statuses: [], ...state })') as Promise<PageState>;
}
