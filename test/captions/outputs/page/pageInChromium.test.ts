// @module-tag tools

import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCaptionPage } from '../../../../src/captions/outputs/page/captionPage.ts';
import { openTab, startChromium, useChromium } from '../../../helpers/chromium.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { freePorts } from '../../../helpers/freePorts.ts';
import { openPage, says } from './pageClient.ts';

const browser = useChromium();

interface Visit extends BrowserContextOptions {
  /** Script that runs before those of the page. */
  readonly before?: string;
}

/** Opens an address; the test fails when the page logs an error, as for a violation of its content-security policy. */
async function visit(url: string, { before, ...options }: Visit = {}): Promise<Page> {
  const { page, complaints } = await openTab(browser(), options);
  // The browser reports a refused or lost connection, which the page is made for.
  const outside: string[] = [];
  onTestFinished(() =>
    expect([...outside, ...complaints.filter(text => !text.includes('net::ERR'))]).toEqual([]),
  );
  if (before) await page.addInitScript(before);
  page.on('request', request => {
    if (new URL(request.url()).host !== new URL(url).host && !request.url().startsWith('data:')) {
      outside.push(new URL(request.url()).origin);
    }
  });
  await page.goto(url);
  // Made by the script, which may run later than the load.
  await page.locator('.text').waitFor({ state: 'attached' });
  return page;
}

const paragraphsOf = (page: Page) => page.locator('.text p').allTextContents();

/** Left and top of every shown word, in the order of the text. */
const placesOf = (page: Page) =>
  page.evaluate(`(() => {
    const places = [];
    for (const line of document.querySelectorAll('.text .line')) {
      const words = line.firstChild;
      for (const match of words.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(words, match.index);
        range.setEnd(words, match.index + match[0].length);
        const { left, top } = range.getBoundingClientRect();
        places.push({ word: match[0], left: Math.round(left), top: Math.round(top) });
      }
    }
    return places;
  })()`) as Promise<{ word: string; left: number; top: number }[]>;

/** Words of the text that can be seen in the box. */
const visibleWords = async (page: Page) => {
  const box = (await page.locator('.box').boundingBox())!;
  const hidden = await page.locator('.text .past').count();
  const places = await placesOf(page);
  const past = (await page.locator('.text .past').allTextContents()).join(' ').split(' ').length;
  return places
    .slice(hidden > 0 ? past : 0)
    .filter(({ top }) => top >= box.y - 2 && top < box.y + box.height - 2)
    .map(({ word }) => word);
};

const STORY =
  `Mr. John Dashwood had not the strong feelings of the rest of the family but he was affected by a
recommendation of such a nature at such a time and he promised to do every thing in his power to make them comfortable`.split(
    /\s+/,
  );

describe('the page in a browser', () => {
  test('says that there are no captions yet, and again when they were removed', async () => {
    const { page, output } = await openPage();
    const tab = await visit(page.url);
    const nothing = tab.getByText('Captions will appear here.');
    await nothing.waitFor();
    output.take(says('Good evening.'));
    await nothing.waitFor({ state: 'detached' });
    output.take({ type: 'off' });
    await nothing.waitFor();
    // In a picture, only captions are seen.
    const overlay = await visit(`${page.url}?transparent`);
    expect(await overlay.getByText('Captions will appear here.').count()).toBe(0);
  });

  test('offers the captions of the server at its root', async () => {
    await using other = await openCaptionPage({ port: 0 });
    for (const name of ['hall-1', 'hall-1-de']) other.track(name, { title: name });
    const tab = await visit(`${other.url}?size=30`);
    await tab.getByText('Choose the captions:').waitFor();
    await tab.getByRole('link', { name: 'hall-1-de' }).click();
    await tab.getByText('Captions will appear here.').waitFor();
    expect(tab.url()).toBe(`${other.url}hall-1-de?size=30`);
  });

  test('shows a late viewer all text about as soon as a page with one caption, also after hours', async () => {
    const long = await openPage();
    for (let index = 0; index < 1500; index++) {
      long.output.take(says(`${index} ${STORY.slice(0, 12).join(' ')}.`));
      long.output.take({ type: 'clear' });
    }
    const short = await openPage();
    for (const { output } of [long, short]) output.take(says('The end.'));
    // Milliseconds from the beginning of the navigation.
    const before = `new MutationObserver(() => {
      if (!window.shownAt && document.body?.textContent.includes('The end.')) window.shownAt = performance.now();
    }).observe(document, { childList: true, subtree: true });`;
    const shownAfterMs = async (url: string, paragraphs: number) => {
      const viewer = await visit(url, { before });
      await viewer.locator('.text p', { hasText: 'The end.' }).waitFor();
      expect(await viewer.locator('.text p').count()).toBe(paragraphs);
      return (await viewer.evaluate('window.shownAt')) as number;
    };
    // The best of three of each, in turns, as the machine may be busy with other tests.
    const times: Record<'long' | 'short', number[]> = { long: [], short: [] };
    for (let visitor = 0; visitor < 3; visitor++) {
      times.short.push(await shownAfterMs(short.page.url, 1));
      times.long.push(await shownAfterMs(long.page.url, 1501));
    }
    console.info(`late viewer: ${JSON.stringify(times)} ms`);
    expect(Math.min(...times.long)).toBeLessThan(10 * Math.min(...times.short));
  });

  test.each(['', '?rows=2', '?rows=3&position=top', '?transparent=1&background=000c'])(
    'never moves a shown word within its row: %s',
    async query => {
      const { page, output } = await openPage();
      const viewer = await visit(page.url + query, {
        viewport: { width: 500, height: 900 },
        reducedMotion: 'reduce',
      });
      const lineHeight = Number(
        await viewer.evaluate("parseFloat(getComputedStyle(document.querySelector('.text')).lineHeight)"),
      );
      let before: Awaited<ReturnType<typeof placesOf>> = [];
      for (const [index, word] of STORY.entries()) {
        output.take(says(word, index % 3 === 0 ? STORY.slice(index + 1, index + 9) : []));
        await eventually(async () => expect(await placesOf(viewer)).toHaveLength(index + 1));
        const after = await placesOf(viewer);
        for (const [at, { word: text, left, top }] of before.entries()) {
          expect(after[at]).toMatchObject({ word: text, left });
          const rows = (top - after[at]!.top) / lineHeight;
          expect(Math.abs(rows - Math.round(rows))).toBeLessThan(0.1);
          expect(Math.round(rows)).toBeGreaterThanOrEqual(0);
        }
        before = after;
      }
      expect(new Set(before.map(({ top }) => top)).size).toBeGreaterThan(3);
    },
  );

  test('gives a finished paragraph its final form: at once, or out of view where it has rows', async () => {
    const { page, output } = await openPage();
    const viewport = { width: 500, height: 400 };
    const [full, rows] = await Promise.all([
      visit(page.url, { viewport }),
      visit(`${page.url}?rows=2`, { viewport }),
    ]);
    const words = [...STORY, ...STORY, 'himself.'];
    const added = words.map((text, id) => ({ id: id - 1000, text: text.toLowerCase() }));
    const heard = added.map(({ text }) => text).join(' ');
    const said = words.join(' ');
    const wording = new Map(words.map((text, id) => [id - 1000, text]));
    output.take({ type: 'words', added, tail: [], wording: new Map() });
    output.take(says('Next.'));
    // A page that connects later gets the final form at once.
    for (const viewer of [full, rows])
      await eventually(async () => expect(await paragraphsOf(viewer)).toEqual([heard, 'Next.']));
    output.take({ type: 'words', added: [], tail: [], wording });
    await eventually(async () => expect(await paragraphsOf(full)).toEqual([said, 'Next.']));
    output.take(says('One.'));
    await eventually(async () => expect(await paragraphsOf(rows)).toEqual([heard, 'Next. One.']));
    await eventually(async () => {
      output.take(says('Further.'));
      expect((await paragraphsOf(rows))[0]).toBe(said);
    });
  });

  test('removes text that is taken back, also from rows', async () => {
    const { page, output } = await openPage();
    const viewers = await Promise.all([visit(page.url), visit(`${page.url}?rows=2`)]);
    const say = (id: number, text: string) =>
      output.take({
        type: 'words',
        added: [{ id, ts: -id, text, opensParagraph: true }],
        tail: [],
        wording: new Map([[id, text]]),
      });
    say(-1, 'Kept.');
    say(-2, 'Wrong.');
    for (const viewer of viewers) await viewer.getByText('Wrong.').waitFor();
    expect(output.retract!({ type: 'retract', fromTs: 2 })).toBe(true);
    for (const viewer of viewers) {
      await viewer.getByText('Wrong.').waitFor({ state: 'detached' });
      await eventually(async () => expect(await viewer.locator('.text p:visible').count()).toBe(1));
    }
    output.retract!({ type: 'retract', fromTs: 1 });
    for (const viewer of viewers) await viewer.getByText('Kept.').waitFor({ state: 'detached' });
    await viewers[0]!.getByText('Captions will appear here').waitFor();
  });

  test('shows uncertain words dim on the last row only, and not at all with tail=0', async () => {
    const { page, output } = await openPage();
    const [viewer, other] = await Promise.all([
      visit(`${page.url}?rows=2`, { viewport: { width: 500, height: 400 } }),
      visit(`${page.url}?rows=2&tail=0`),
    ]);
    output.take(says('Mr. John', STORY.slice(2)));
    const tail = viewer.locator('.tail');
    await tail.waitFor();
    const shown = (await tail.textContent())!.trim();
    expect(STORY.slice(2).join(' ').startsWith(shown)).toBe(true);
    expect(shown.split(' ').length).toBeLessThan(8);
    expect((await tail.boundingBox())!.height).toBeLessThan(60);
    await other.locator('.text p').waitFor();
    expect(await other.locator('.tail').count()).toBe(0);
  });

  test('begins anew, without doubled text, when its server was restarted', async () => {
    const before = await openPage();
    before.output.take(says('Before the restart.'));
    const viewer = await visit(before.page.url);
    await viewer.locator('.text p').waitFor();
    await before.page.close();
    await viewer.getByText('Reconnecting').waitFor();
    expect(await paragraphsOf(viewer)).toEqual(['Before the restart.']);
    const { output } = await openPage({ port: Number(new URL(before.page.url).port) });
    output.take(says('After it.'));
    await eventually(async () => expect(await paragraphsOf(viewer)).toEqual(['After it.']));
    await viewer.getByText('Reconnecting').waitFor({ state: 'detached' });
    output.take(says('More.'));
    await eventually(async () => expect(await paragraphsOf(viewer)).toEqual(['After it. More.']));
  });

  test('gets missed captions after it was without a network', async () => {
    const { page, output } = await openPage();
    output.take(says('One'));
    // Chromium keeps an open connection when it is set offline; so the page's own connection is closed under it.
    const viewer = await visit(page.url, {
      before: `const Source = EventSource; window.EventSource = class extends Source {
        constructor(url) { super(url); window.lastSource = this; }
      };`,
    });
    await viewer.locator('.text p').waitFor();
    await viewer.evaluate("lastSource.close(); lastSource.dispatchEvent(new Event('error'))");
    output.take(says('two'));
    await eventually(async () => expect(await paragraphsOf(viewer)).toEqual(['One two']));
    expect(await viewer.evaluate("new URL(lastSource.url).searchParams.get('after')")).toMatch(/^\w{8}:1$/);
  });

  test('connects again after sleep, when its connection only looks alive', async () => {
    const { page, output } = await openPage();
    output.take(says('One'));
    const { page: viewer } = await openTab(browser());
    const after: (string | null)[] = [];
    viewer.on('request', request => {
      const url = new URL(request.url());
      if (url.pathname === '/events') after.push(url.searchParams.get('after'));
    });
    await viewer.clock.install();
    await viewer.goto(page.url);
    await eventually(async () => expect(await paragraphsOf(viewer)).toEqual(['One']));
    await viewer.clock.fastForward(30_000);
    expect(after).toEqual([null]);
    await viewer.clock.fastForward(30_000);
    await eventually(() => expect(after).toEqual([null, expect.stringMatching(/:1$/)]));
    output.take(says('two'));
    await viewer.clock.runFor(100);
    await eventually(async () => expect(await paragraphsOf(viewer)).toEqual(['One two']));
  });

  test('answers each ping of the server, also where timers stand still, as in the background', async () => {
    const { page } = await openPage();
    const { page: viewer } = await openTab(browser());
    const answers: string[] = [];
    viewer.on('response', response => {
      if (/\/events\/\w{14}$/.test(response.url())) answers.push(`${response.status()} ${response.url()}`);
    });
    await viewer.clock.install();
    await viewer.goto(page.url);
    await eventually(() => expect(answers.length).toBeGreaterThan(0));
    await viewer.clock.pauseAt(Date.now() + 1000);
    const { length } = answers;
    await eventually(() => expect(answers.length).toBeGreaterThanOrEqual(length + 2));
    expect(answers.every(answer => answer.startsWith('204 '))).toBe(true);
    expect(new Set(answers).size).toBe(answers.length);
  });

  test('has a QR code of the address in the network, though it was opened by another one', async () => {
    const { page } = await openPage({ host: '0.0.0.0' });
    const { port } = new URL(page.url);
    const viewer = await visit(`http://127.0.0.1:${port}/?qr=1`);
    const code = viewer.getByRole('img', { name: `QR code of ${page.url}` });
    await code.waitFor();
    const { width, height } = (await code.boundingBox())!;
    expect([Math.round(width), width > 100]).toEqual([Math.round(height), true]);
    const { page: local } = await openPage();
    const other = await visit(`${local.url}?qr=1`);
    await other.getByRole('button', { name: 'Settings' }).click();
    await other.getByRole('dialog').getByText('others cannot open this page').waitFor();
    expect(await other.getByRole('img').count()).toBe(0);
  });

  test('is read under a name of the inner network and its public one, and not by a web site of its address', async () => {
    const publicUrl = 'https://live.example/';
    const [port] = await freePorts(1);
    const { output } = await openPage({ port, publicUrl, host: '0.0.0.0' });
    const names = ['hall.local', 'live.example', 'evil.example'].map(name => `MAP ${name} 127.0.0.1`);
    const rebound = await startChromium([`--host-resolver-rules=${names.join(',')}`]);
    onTestFinished(() => rebound.close());
    const viewer = await rebound.newPage();
    output.take(says('Good morning.'));
    for (const host of ['hall.local', 'live.example', '127.0.0.1']) {
      await viewer.goto(`http://${host}:${port}/?qr=1`);
      await viewer.getByText('Good morning.').waitFor();
    }
    await viewer.getByRole('img', { name: `QR code of ${publicUrl}` }).waitFor();
    const refusal = await viewer.goto(`http://evil.example:${port}/`);
    expect(refusal!.status()).toBe(421);
    const read = `fetch('/events').then(async response => [response.status, await response.text()])`;
    expect(await viewer.evaluate(read)).toEqual([421, expect.stringContaining('--public-url')]);
  });

  test('is shown within a page of another origin, such as slides', async () => {
    const { page, output } = await openPage();
    output.take(says('Good morning.'));
    const { page: slides } = await openTab(browser());
    await slides.setContent(`<iframe src="${page.url}?rows=2" width="600" height="200"></iframe>`);
    await slides.frameLocator('iframe').getByText('Good morning.').waitFor();
  });

  test('removes everything within 200 ms of what a caption takes, also for a viewer with a delay', async () => {
    const { page, output } = await openPage();
    const viewers = await Promise.all([visit(page.url), visit(`${page.url}?delay=1`)]);
    const [viewer, delayed] = viewers as [Page, Page];
    for (const each of viewers) {
      await each.evaluate(`window.changes = []; void new MutationObserver(() => {
        window.changes.push({ text: document.querySelector('.text').textContent, at: Date.now() });
      }).observe(document.querySelector('.text'), { childList: true, subtree: true })`);
    }
    /** Resolves with the milliseconds from a time until a page shows a text. */
    const shownAfter = (each: Page, text: string, startedAt: number) =>
      eventually(async () => {
        const changes = (await each.evaluate('window.changes')) as { text: string; at: number }[];
        const shown = changes.find(change => change.text === text && change.at >= startedAt);
        expect(shown).toBeDefined();
        return shown!.at - startedAt;
      });
    const rounds: (readonly [number, number])[] = [];
    for (let round = 0; round < 3; round++) {
      output.take(says('Not for'));
      for (const each of viewers) await each.getByText('Not for').waitFor();
      output.take(says('your ears.'));
      await viewer.getByText('your ears.').waitFor();
      const offAt = Date.now();
      output.take({ type: 'off' });
      const gone = await Promise.all(viewers.map(each => shownAfter(each, '', offAt)));
      const backAt = Date.now();
      output.take(says('On again.'));
      const floor = await shownAfter(viewer, 'On again.', backAt);
      rounds.push([gone[0]! - floor, gone[1]! - floor]);
      for (const each of viewers) {
        await eventually(async () => expect(await paragraphsOf(each)).toEqual(['On again.']));
      }
      expect(await delayed.locator('.text').textContent()).not.toContain('your ears');
      output.take({ type: 'clear' });
    }
    console.info(`off, beyond what a caption takes: ${rounds.join('; ')} ms`);
    // Other work may delay one round, but not each.
    expect(Math.min(...rounds.map(([ms]) => ms))).toBeLessThan(200);
    expect(Math.min(...rounds.map(([, ms]) => ms))).toBeLessThan(200);
  });

  test('shows captions later for a viewer with a delay, those of before the visit included', async () => {
    const { page, output } = await openPage();
    const delayMs = 1500;
    const saidAt = performance.now();
    output.take(says('Said before.'));
    const viewer = await visit(`${page.url}?delay=${delayMs / 1000}`);
    await viewer.locator('.text p').waitFor();
    expect(performance.now() - saidAt).toBeGreaterThanOrEqual(delayMs - 50);
    const nextAt = performance.now();
    output.take(says('Now.'));
    await viewer.getByText('Said before. Now.').waitFor();
    expect(performance.now() - nextAt).toBeGreaterThanOrEqual(delayMs - 50);
  });

  test('sets Arabic from right to left, beside English', async () => {
    const { page, output } = await openPage();
    output.take(says('صباح الخير مرحبا بكم'));
    output.take({ type: 'clear' });
    output.take(says('Good morning to you'));
    const viewer = await visit(page.url);
    await viewer.locator('.text p').nth(1).waitFor();
    const places = await placesOf(viewer);
    expect(places[0]!.left).toBeGreaterThan(places[1]!.left);
    expect(places[4]!.left).toBeLessThan(places[5]!.left);
    expect(places[4]!.left).toBeLessThan(40);
    expect(places[0]!.left).toBeGreaterThan(1000);
  });

  test('empties a number of rows when captions are cleared, and keeps the text in its history', async () => {
    const { page, output } = await openPage();
    const viewer = await visit(`${page.url}?rows=2`, { viewport: { width: 600, height: 600 } });
    output.take(says(STORY.join(' ')));
    await eventually(async () => expect((await visibleWords(viewer)).at(-1)).toBe('comfortable'));
    expect((await visibleWords(viewer)).length).toBeLessThan(STORY.length / 2);
    output.take({ type: 'clear' });
    await eventually(async () => expect(await viewer.locator('.text .past').count()).toBe(1));
    expect(await visibleWords(viewer)).toEqual([]);
    output.take(says('Later.'));
    await eventually(async () => expect(await visibleWords(viewer)).toEqual(['Later.']));
    await viewer.locator('.box').hover();
    await viewer.mouse.wheel(0, -300);
    await viewer.getByRole('button', { name: 'Live' }).waitFor();
    expect(await viewer.locator('.text .past').first().isVisible()).toBe(true);
    expect((await viewer.locator('.box').boundingBox())!.height).toBe(600);
    output.take(says('Meanwhile.'));
    await viewer.getByRole('button', { name: 'Live' }).click();
    await eventually(async () => expect(await visibleWords(viewer)).toEqual(['Later.', 'Meanwhile.']));
  });

  test('keeps the place of a reader of the history, and a selection while the text grows', async () => {
    const { page, output } = await openPage();
    for (let index = 0; index < 40; index++) output.take(says(`${STORY.join(' ')}.`));
    output.take(says('An unfinished sentence'));
    const viewer = await visit(page.url, { viewport: { width: 600, height: 500 } });
    await viewer.locator('.text p').nth(9).waitFor();
    await viewer.locator('.box').focus();
    // Chromium scrolls smoothly.
    const scrolled = viewer.evaluate(
      "new Promise(resolve => document.querySelector('.box').addEventListener('scrollend', () => resolve(), { once: true }))",
    );
    await viewer.keyboard.press('PageUp');
    await viewer.getByRole('button', { name: 'Live' }).waitFor();
    await scrolled;
    const topBefore = await viewer.evaluate("document.querySelector('.box').scrollTop");
    await viewer.evaluate(
      `(words => getSelection().setBaseAndExtent(words, 3, words, 13))(document.querySelector('.text p:last-of-type .line').firstChild)`,
    );
    const selected = String(await viewer.evaluate('String(getSelection())'));
    output.take(says('More words.'));
    await viewer.getByText('An unfinished sentence More words.').waitFor();
    expect(await viewer.evaluate("document.querySelector('.box').scrollTop")).toBe(topBefore);
    expect([selected, await viewer.evaluate('String(getSelection())')]).toEqual(['unfinished', 'unfinished']);
  });

  test('is used by the keyboard alone, and remembers what was chosen', async () => {
    const { page, output } = await openPage();
    output.take(says('Good morning.'));
    const viewer = await visit(page.url);
    await viewer.locator('.text p').waitFor();
    const focused = () =>
      viewer.evaluate(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.parentElement.textContent",
      );
    await viewer.keyboard.press('Tab');
    expect(await focused()).toBe('Captions');
    await viewer.keyboard.press('Tab');
    expect(await focused()).toBe('Settings');
    await viewer.keyboard.press('Enter');
    await viewer.getByRole('dialog', { name: 'Settings' }).waitFor();
    await viewer.getByLabel('Size').focus();
    await viewer.keyboard.press('End');
    await viewer.getByLabel('Colours').focus();
    await viewer.keyboard.press('End');
    await viewer.keyboard.press('ArrowUp');
    await viewer.keyboard.press('Escape');
    expect(await viewer.getByRole('dialog').count()).toBe(0);
    expect(await focused()).toBe('Settings');
    expect(new URL(viewer.url()).search).toBe('?size=96&theme=light');
    await viewer.goto(page.url);
    await eventually(async () =>
      expect(await viewer.evaluate("getComputedStyle(document.querySelector('.text')).fontSize")).toBe(
        '96px',
      ),
    );
    await viewer.goto(`${page.url}?theme=dark`);
    await eventually(async () =>
      expect(await viewer.evaluate("getComputedStyle(document.querySelector('.text')).fontSize")).not.toBe(
        '96px',
      ),
    );
  });

  test.each([
    { name: '360 px', viewport: { width: 360, height: 640 } },
    { name: '200 % on a small screen', viewport: { width: 320, height: 400 }, deviceScaleFactor: 2 },
  ])('needs no scrolling to the side at $name', async ({ viewport, deviceScaleFactor }) => {
    const { page, output } = await openPage();
    page.track('de', { title: 'Deutsch', language: 'de' });
    output.take(says(`${STORY.join(' ')} Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüssel`));
    const viewer = await visit(page.url, { viewport, ...(deviceScaleFactor && { deviceScaleFactor }) });
    await viewer.locator('.text p').waitFor();
    const overflow = (selector: string) =>
      viewer.evaluate(
        `(() => { const e = document.querySelector('${selector}'); return e.scrollWidth - e.clientWidth; })()`,
      );
    expect([await overflow('html'), await overflow('.box')]).toEqual([0, 0]);
    const gear = viewer.getByRole('button', { name: 'Settings' });
    expect((await gear.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await gear.click();
    expect([await overflow('html'), await overflow('dialog')]).toEqual([0, 0]);
    await viewer.keyboard.press('Escape');
    await viewer.locator('summary').click();
    expect(await overflow('html')).toBe(0);
    await viewer.getByRole('link', { name: 'Deutsch' }).click();
    await viewer.waitForURL(/\/de$/);
  });

  test('is see-through and bare in a broadcast tool, without settings or with them', async () => {
    const { page, output } = await openPage();
    output.take(says('Good morning.'));
    const viewers = [
      await visit(page.url, { before: 'window.obsstudio = {}' }),
      await visit(`${page.url}?transparent=1&rows=3&color=ff0&outline=4`),
    ];
    for (const viewer of viewers) {
      await viewer.locator('.text p').waitFor();
      const backgrounds = await viewer.evaluate(
        "['html', 'body', '#root', '.box', '.text'].map(name => getComputedStyle(document.querySelector(name)).backgroundColor)",
      );
      expect(new Set(backgrounds as string[])).toEqual(new Set(['rgba(0, 0, 0, 0)']));
      expect(await viewer.getByRole('button').count()).toBe(0);
      const corner = await viewer.screenshot({
        omitBackground: true,
        clip: { x: 0, y: 0, width: 2, height: 2 },
      });
      expect(corner.length).toBeGreaterThan(0);
    }
    const style = await viewers[1]!.evaluate(
      "(s => [s.color, s.textShadow.includes('4px')])(getComputedStyle(document.querySelector('.text')))",
    );
    expect(style).toEqual(['rgb(255, 255, 0)', true]);
  });

  test('announces new text to a screen reader only by choice, each word once', async () => {
    const { page, output } = await openPage();
    output.take(says('Before.'));
    const [silent, aloud] = await Promise.all([visit(page.url), visit(`${page.url}?live=polite`)]);
    for (const viewer of [silent, aloud]) await viewer.locator('.text p').waitFor();
    expect(await silent.locator('[aria-live=polite]').count()).toBe(0);
    output.take(says('One', ['two']));
    output.take(says('two', ['three']));
    output.take(says('three.'));
    await eventually(async () =>
      expect(await aloud.locator('[aria-live=polite] p').allTextContents()).toEqual(['One two three.']),
    );
    expect(await aloud.locator('.text').getAttribute('aria-live')).toBe(null);
  });

  test('says when the captions have ended, instead of looking for a server that is gone', async () => {
    const { page, output } = await openPage();
    output.take(says('Goodbye.'));
    output.take({ type: 'end' });
    const viewer = await visit(page.url);
    await viewer.getByText('The captions have ended.').waitFor();
    output.take(says('One more thing.'));
    await viewer.getByText('The captions have ended.').waitFor({ state: 'detached' });
  });

  test('warns of values of its address that it does not know, and is shown nevertheless', async () => {
    const { page, output } = await openPage();
    output.take(says('Good morning.'));
    const { page: viewer, complaints: warnings } = await openTab(browser());
    await viewer.goto(`${page.url}?size=1e9&color=url(x)&other=1&rows=2`);
    await viewer.locator('.text p').waitFor();
    expect(warnings).toEqual([
      "The value of 'size' in the address is not valid, and is ignored.",
      "The value of 'color' in the address is not valid, and is ignored.",
      "The address has the name 'other', which is not known.",
    ]);
  });
});
