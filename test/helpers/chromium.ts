import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, beforeEach, onTestFinished } from 'vitest';
import { CHROMIUM_PATH, needsChromium } from './needs.ts';

/** Starts Chromium without network requests of its own. */
export function startChromium(more: readonly string[] = []): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...quiet, ...more];
  return chromium.launch({ executablePath: CHROMIUM_PATH, args });
}

/** Starts Chromium for the tests of a file, which are skipped where there is none. Returns a function that returns it. */
export function useChromium(more: readonly string[] = []): () => Browser {
  let browser: Browser | undefined;
  beforeEach(async context => {
    needsChromium(context);
    browser ??= await startChromium(more);
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('Chromium starts with the first test.');
    return browser;
  };
}

/** A tab in a profile of its own. */
export interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Messages of the console, and errors of the page. */
  readonly complaints: readonly string[];
}

/** Opens a tab, which is closed with the test. */
export async function openTab(browser: Browser, options?: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(String(error)));
  return { context, page, complaints };
}
