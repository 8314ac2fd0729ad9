import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Service } from '../../src/service/app.ts';
import { DESK_PASSWORD } from './deskClient.ts';

/** A person in front of the page of the desk, with a browser profile of their own. */
export interface PersonAtPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of the page, dialogs, and violations of its content-security policy. */
  readonly complaints: readonly string[];
  /** Opens another tab of the same profile, in place of one that crashed. */
  newTab(): Promise<Page>;
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
}

/** Opens the page and logs in, by keys alone. */
export async function personAtPage(
  browser: Browser,
  service: Pick<Service, 'url'>,
  name: string,
  { width = 1280, height = 800 }: PageOptions = {},
): Promise<PersonAtPage> {
  const context = await browser.newContext({ viewport: { width, height } });
  onTestFinished(() => context.close());
  const complaints: string[] = [];
  const newTab = async () => {
    const page = await context.newPage();
    page.on('pageerror', error => complaints.push(String(error)));
    page.on('dialog', dialog => {
      complaints.push(`dialog ${dialog.type()}`);
      void dialog.accept();
    });
    page.on('console', message => {
      if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
    });
    return page;
  };
  const page = await newTab();
  await page.goto(`${service.url}/desk/`);
  await page.getByLabel('Name').waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(DESK_PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  return { context, page, complaints, newTab };
}

export const editorOf = (page: Page) => page.getByRole('textbox', { name: /transcript|text/i }).first();

/** Returns the lines of the text that are in the page, without the labels of turns. */
export const linesOf = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.cm-line')].map(line =>
    [...line.childNodes].filter(node => node.className !== 'cm-turn').map(node => node.textContent).join(''))`);

/** The state of the text as the page shows it. */
export const saveStateOf = (page: Page) => page.getByLabel(/^Text: /);

export async function untilSaved(page: Page): Promise<void> {
  await expect
    .poll(() => saveStateOf(page).getAttribute('aria-label'), { timeout: 20_000 })
    .toMatch(/: saved/i);
}

/** Presses Tab until an element with the label has the focus. */
export async function tabTo(page: Page, label: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const active = page.locator(':focus').first();
    const found =
      (await active.count()) === 0
        ? ''
        : ((await active.getAttribute('aria-label')) ?? (await active.innerText()));
    if (label.test(found)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No element with ${label} can be reached by Tab.`);
}
