import { type Browser, type KeyInput, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeEach, expect, onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { FIREFOX_PATH, needsFirefox } from './needs.ts';
import { createPulseMicrophone, noPulseMicrophone, type PulseMicrophone } from './pulseMicrophone.ts';

/** A microphone that gives a tone, without a question to the user, and words of pages in English. */
const PREFERENCES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'intl.accept_languages': 'en',
};

/** A tab of Firefox in a profile of its own. */
export interface FirefoxTab {
  readonly page: Page;
  /** Errors and warnings of the page and of the console. */
  readonly complaints: readonly string[];
  /** Clicks the button with a text. */
  press(text: string): Promise<void>;
  /** Waits for a text. */
  sees(text: string): Promise<void>;
  /** Types into the field with a label, and presses Enter. */
  enter(label: string, text: string): Promise<void>;
  /** Presses keys at once, and releases them. */
  keys(...keys: readonly KeyInput[]): Promise<void>;
  /** Waits until the value of an expression matches. */
  until(expression: string, wanted: RegExp): Promise<void>;
}

/** Starts Firefox for the tests of a file, which are skipped where there is none. Returns a function that opens a tab. */
export function useFirefox(): (url: string) => Promise<FirefoxTab> {
  let browser: Browser | undefined;
  let devices: PulseMicrophone | undefined;
  beforeEach(async context => {
    needsFirefox(context);
    if (noPulseMicrophone) context.skip(noPulseMicrophone);
    devices ??= await createPulseMicrophone();
    browser ??= await launch({
      browser: 'firefox',
      executablePath: FIREFOX_PATH,
      extraPrefsFirefox: PREFERENCES,
      // Without a device for its output, Firefox gives no audio at all.
      env: { ...process.env, PULSE_SERVER: devices.server },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await devices?.[Symbol.asyncDispose]();
  });
  return url => openTab(browser!, url);
}

async function openTab(browser: Browser, url: string): Promise<FirefoxTab> {
  const context = await browser.createBrowserContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const complain = (text: string) => {
    // Firefox asks for an icon, which a page with a strict policy cannot have.
    if (!text.includes('/favicon.ico')) complaints.push(text);
  };
  page.on('console', message => {
    if (['error', 'warn'].includes(message.type())) complain(message.text());
  });
  page.on('pageerror', error => complain(String(error)));
  await page.goto(url);
  return {
    page,
    complaints,
    press: text => page.locator(`button::-p-text(${text})`).click(),
    async sees(text) {
      await page.locator(`::-p-text(${text})`).wait();
    },
    async enter(label, text) {
      await page.locator(`::-p-aria(${label})`).click();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    },
    async keys(...keys) {
      for (const key of keys) await page.keyboard.down(key);
      for (const key of keys.toReversed()) await page.keyboard.up(key);
    },
    until: (expression, wanted) =>
      eventually(async () => expect(await page.evaluate(expression)).toMatch(wanted)),
  };
}
