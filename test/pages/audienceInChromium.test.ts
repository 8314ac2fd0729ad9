// @module-tag tools
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ControlCommand } from '../../src/captions/control/captionControl.ts';
import { CaptionRoom } from '../../src/captions/hub/captionRoom.ts';
import { OutputFeed } from '../../src/captions/hub/outputFeed.ts';
import { openPage, says } from '../captions/outputs/page/pageClient.ts';
import { openTab, useChromium } from '../helpers/chromium.ts';
import { eventually } from '../helpers/eventually.ts';
import { final } from '../helpers/transcriptEvents.ts';

const browser = useChromium();

const STORY =
  'Mr. John Dashwood had not the strong feelings of the rest of the family but he was affected by a ' +
  'recommendation of such a nature at such a time and he promised to do every thing in his power to make them';

/** Opens an address in a profile of its own. */
async function visit(url: string, options?: BrowserContextOptions): Promise<Page> {
  const { page } = await openTab(browser(), options);
  await page.goto(url);
  await page.locator('.text').waitFor({ state: 'attached' });
  return page;
}

/** Returns a property of the computed style of an element. */
const styleOf = (page: Page, selector: string, property: string) =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`) as Promise<string>;

const openSettings = (page: Page) => page.getByRole('button', { name: 'Settings' }).click();

/** The rows of the words that can be seen, with their sides in pixels. */
const rowsOf = (page: Page) =>
  page.evaluate(`(() => {
    const box = document.querySelector('.box').getBoundingClientRect();
    const rows = new Map();
    for (const { firstChild: words } of document.querySelectorAll('.text .line')) {
      for (const { index, 0: word } of words.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(words, index);
        range.setEnd(words, index + word.length);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        if (top < box.top - 2 || bottom > box.bottom + 2) continue;
        const row = rows.get(top) ?? { text: '', left, top };
        rows.set(top, { ...row, text: row.text + ' ' + word, right, bottom });
      }
    }
    return [...rows.values()].map(row => ({ ...row, text: row.text.trim() }));
  })()`) as Promise<{ text: string; left: number; right: number; top: number; bottom: number }[]>;

describe('the settings of the audience', () => {
  test('have the width, the place, the outline and the background, which the address and the browser keep', async () => {
    const { page, output } = await openPage();
    output.take(says('Good morning.'));
    const viewer = await visit(page.url, { viewport: { width: 1000, height: 800 } });
    await openSettings(viewer);
    await viewer.getByRole('slider', { name: 'Width' }).fill('60');
    await viewer.getByLabel('Outline').fill('3');
    await viewer.getByLabel('Position').selectOption('Top left');
    await viewer.getByLabel('Background').selectOption('Black');
    const expectLooks = async () => {
      const box = (await viewer.locator('.box').boundingBox())!;
      expect([box.x, box.width, box.y < 100]).toEqual([0, 600, true]);
      expect(await styleOf(viewer, '.text', 'textShadow')).toContain('3px 0px');
      expect(await styleOf(viewer, 'body', 'backgroundColor')).toBe('rgb(0, 0, 0)');
    };
    await eventually(expectLooks);
    expect(new URL(viewer.url()).search).toBe(
      '?width=60&outline=3&position=top-left&rows=3&background=000000',
    );
    await viewer.goto(page.url);
    await eventually(expectLooks);
    await openSettings(viewer);
    await viewer.getByRole('button', { name: 'Reset' }).click();
    expect(new URL(viewer.url()).search).toBe('');
  });

  test('never leave dark letters on a black background', async () => {
    const { page } = await openPage();
    const viewer = await visit(`${page.url}?theme=light`);
    await openSettings(viewer);
    await viewer.getByLabel('Background').selectOption('Black, see-through');
    await eventually(() => expect(new URL(viewer.url()).search).toBe('?theme=dark&background=000000b3'));
    await viewer.getByLabel('Colours').selectOption('Dark on light');
    await eventually(() => expect(new URL(viewer.url()).search).toBe('?theme=light'));
  });
});

describe('the colours of the audience', () => {
  const themeOf = (page: Page) => page.evaluate('document.documentElement.dataset.theme') as Promise<string>;

  test('are those that the device prefers, at once when it changes them', async () => {
    const { page } = await openPage();
    const viewer = await visit(page.url, { colorScheme: 'light' });
    await eventually(async () => expect(await themeOf(viewer)).toBe('light'));
    await viewer.emulateMedia({ colorScheme: 'dark' });
    await eventually(async () => expect(await themeOf(viewer)).toBe('dark'));
    await viewer.emulateMedia({ contrast: 'more' });
    await eventually(async () => expect(await themeOf(viewer)).toBe('contrast'));
  });

  test.each([
    ['theme=dark', 'dark'],
    ['theme=light', 'light'],
    ['color=ff0', 'dark'],
    ['background=000', 'dark'],
    ['transparent=1', 'dark'],
  ])('are not those of the device with %s', async (query, theme) => {
    const { page } = await openPage();
    const viewer = await visit(`${page.url}?${query}`, { colorScheme: 'light', contrast: 'more' });
    await eventually(async () => expect(await themeOf(viewer)).toBe(theme));
  });
});

describe('the address of the page', () => {
  test('is below its QR code and in the clipboard at a click, also on a page without https', async () => {
    const { page } = await openPage({ host: '0.0.0.0' });
    const local = `http://127.0.0.1:${new URL(page.url).port}/`;
    const { context, page: viewer } = await openTab(browser());
    await context.grantPermissions(['clipboard-read'], { origin: local });
    await viewer.goto(`${page.url}?qr=1&size=40`);
    const code = viewer.getByRole('figure');
    await code.getByText(page.url, { exact: true }).waitFor();
    await openSettings(viewer);
    const panel = viewer.getByRole('dialog');
    await panel.getByText(page.url, { exact: true }).waitFor();
    const reader = await context.newPage();
    await reader.goto(local);
    const expectCopied = async (name: string, text: string) => {
      await viewer.bringToFront();
      await panel.getByRole('button', { name, exact: true }).click();
      await panel.getByText('Copied.').first().waitFor();
      await reader.bringToFront();
      expect(await reader.evaluate('navigator.clipboard.readText()')).toBe(text);
    };
    await expectCopied('Copy address', page.url);
    await expectCopied('Copy address for OBS', `${page.url}?size=40&rows=2&transparent=1`);
  });

  test.each(['', '?rows=2', '?rows=2&position=top'])(
    'leaves the latest text beside its settings%s',
    async query => {
      const { page, output } = await openPage();
      const viewer = await visit(page.url + query);
      for (const size of [
        { width: 1280, height: 800 },
        { width: 390, height: 844 },
      ]) {
        await viewer.setViewportSize(size);
        output.take(says('Good evening, ladies and gentlemen.'));
        await openSettings(viewer);
        const panel = viewer.getByRole('dialog');
        await expect
          .poll(async () => {
            const [text, covered] = [await viewer.locator('.box').boundingBox(), await panel.boundingBox()];
            const isAbove = text!.y >= 0 && text!.y + text!.height <= covered!.y;
            return (
              isAbove || (text!.y >= covered!.y + covered!.height && text!.y + text!.height <= size.height)
            );
          })
          .toBe(true);
        await panel.getByRole('button', { name: 'Close' }).click();
      }
    },
  );

  test('has a sentence instead of a QR code where others cannot open it', async () => {
    const { page } = await openPage();
    const viewer = await visit(`${page.url}?qr=1`);
    await viewer.getByRole('figure').getByText('others cannot open this page').waitFor();
    await openSettings(viewer);
    const panel = viewer.getByRole('dialog');
    await panel.getByText('others cannot open this page').waitFor();
    expect(await viewer.getByRole('img').count()).toBe(0);
    expect(await panel.getByRole('button', { name: 'Copy' }).allTextContents()).toEqual([
      'Copy address for OBS',
    ]);
  });
});

test('the menu of languages leads to the other captions of the server, with the same settings', async () => {
  const { page } = await openPage();
  const one = await visit(page.url);
  await one.getByText('Captions will appear here.').waitFor();
  expect(await one.locator('summary').count()).toBe(0);
  page.track('hall-1-de', { title: 'hall-1-de', language: 'de' });
  page.track('hall-1-tlh', { title: 'hall-1-tlh' });
  const viewer = await visit(`${page.url}hall-1/de?size=30`);
  await viewer.locator('summary', { hasText: /^Deutsch$/ }).click();
  const links = viewer.getByRole('navigation', { name: 'Captions' }).getByRole('link');
  expect(await links.allTextContents()).toEqual(['Town hall · English', 'hall-1-de · Deutsch', 'hall-1-tlh']);
  expect(await viewer.locator('[aria-current=page]').textContent()).toBe('hall-1-de · Deutsch');
  await links.first().click();
  await viewer.locator('summary', { hasText: /^English$/ }).waitFor();
  expect(viewer.url()).toBe(`${page.url}?size=30`);
});

describe('the page as a browser source', () => {
  const viewport = { width: 1920, height: 1080 };

  test.each(['?rows=2&size=48', '', '?size=48&position=top-left', '?position=right&background=000c'])(
    'has rows of 42 columns within the safe area: %s',
    async query => {
      const { page, output } = await openPage();
      const viewer = await visit(page.url, { viewport });
      await viewer.addInitScript('window.obsstudio = {}');
      await viewer.goto(page.url + query);
      output.take(says(`${STORY} comfortable ${STORY}`));
      await eventually(async () => expect(await rowsOf(viewer)).toHaveLength(2));
      const [first, last] = (await rowsOf(viewer)) as [Row, Row];
      for (const { left, right, top, bottom } of [first, last]) {
        expect(left).toBeGreaterThanOrEqual(96);
        expect(right).toBeLessThanOrEqual(1920 - 96);
        expect(right - left).toBeLessThanOrEqual(0.8 * 1920);
        expect(top).toBeGreaterThanOrEqual(54);
        expect(bottom).toBeLessThanOrEqual(1080 - 54);
      }
      expect(first.text.length).toBeGreaterThan(30);
      expect(first.text.length).toBeLessThan(46);
    },
  );

  type Row = Awaited<ReturnType<typeof rowsOf>>[number];

  test('has the width of its address', async () => {
    const { page } = await openPage();
    const viewer = await visit(`${page.url}?transparent=1&width=90`, { viewport });
    await eventually(async () => expect((await viewer.locator('.box').boundingBox())!.width).toBe(1728));
  });
});

describe('the state of the captions', () => {
  const STATES = /Captions will appear here|Captions are paused|The captions have ended|Reconnecting/;

  test("is on the page after the operator's commands and after a reload, and never in a picture", async () => {
    const { page, output } = await openPage();
    const feeds = [new OutputFeed({ output })];
    const room = new CaptionRoom({ tracks: [{ feeds }], language: 'en' });
    onTestFinished(() => room.close());
    const perform = (type: 'pause' | 'start' | 'kill') => room.control.perform({ type } as ControlCommand);
    const viewer = await visit(page.url);
    const picture = await visit(`${page.url}?transparent=1`);
    const expectState = async (state: string | undefined) => {
      for (let visits = 0; visits < 2; visits++) {
        await viewer.getByText('Aa').waitFor();
        await eventually(async () =>
          expect(STATES.exec(await viewer.locator('main').innerText())?.[0]).toBe(state),
        );
        expect(await picture.locator('main').innerText()).not.toMatch(STATES);
        await Promise.all([viewer.reload(), picture.reload()]);
        await picture.locator('.text').waitFor({ state: 'attached' });
      }
    };
    await expectState('Captions will appear here');
    await perform('pause');
    await expectState('Captions are paused');
    await perform('start');
    room.take(final('Good morning.', 0, 2));
    await expectState(undefined);
    await perform('pause');
    await expectState('Captions are paused');
    await perform('kill');
    await expectState('Captions will appear here');
    await room.close();
    await expectState('The captions have ended');
    await page.close();
    await picture.waitForTimeout(2000);
    expect(await viewer.locator('main').innerText()).toContain('The captions have ended');
    expect(await picture.locator('main').innerText()).not.toMatch(STATES);
  });
});

test('the page has one main part with a heading, also in a picture', async () => {
  const { page } = await openPage();
  for (const query of ['', '?transparent=1']) {
    const viewer = await visit(page.url + query);
    await viewer.getByRole('main').getByRole('heading', { level: 1, name: 'Town hall' }).waitFor();
    expect((await viewer.getByRole('heading', { level: 1 }).boundingBox())!.width).toBeLessThan(2);
  }
});
