// @module-tag tools

import { createReadStream } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Report, ReportMedia } from '../../../../src/replay/report/report.ts';
import { useChromium } from '../../../helpers/chromium.ts';
import { readSampleText } from '../../../helpers/sampleSpeech.ts';
import { alignedText, fileOf, PLAIN_MEASURES, reportOf } from '../exampleReport.ts';
import { openReport } from './pageInChromium.ts';

const samplePath = (name: string) => new URL(`../../../../samples/${name}.wav`, import.meta.url).pathname;
const NAME = 'sense-and-sensibility';
const SECONDS = 27.73;
const media: ReportMedia = new Map([[NAME, { audio: samplePath(NAME) }]]);
const text = readSampleText(NAME).join(' ');
const edits = { mister: 'missed', leisure: null, young: '+oh' };
const words = alignedText(text, edits, SECONDS);
const counts = { tokens: 10, hits: 9, substitutions: 1, deletions: 0, insertions: 0 };
const report = reportOf([
  fileOf(NAME, words, {
    seconds: SECONDS,
    coverageSpans: [
      { ts: 0, endTs: 14, kind: 'final' },
      { ts: 14, endTs: 15.5, kind: 'hole', cause: 'gave-up' },
    ],
    delay: {
      firstPartial: null,
      word: { p50: 0.42, p95: 1.13, p99: 2, max: 2, count: 80, latest: [] },
      final: null,
    },
    speakers: [{ speaker: 'Narrator', wer: 0.1, words: counts }],
    keywords: { recall: 0.5, keywords: [{ keyword: 'dashwood', said: 2, heard: 1 }] },
  }),
  fileOf('b second', alignedText('he was young', {}, 2), { seconds: 2 }),
  fileOf('a third', alignedText('he was young', { was: 'is' }, 2), { seconds: 2 }),
  fileOf('a fourth', [], { failure: 'the service went away', seconds: 2 }),
]);

const first = reportOf(report.files.slice(0, 1));

const browser = useChromium();

/** Opens a report in a page, of which nothing may complain. */
async function open(shown: Report, options?: Parameters<typeof openReport>[2]): Promise<Page> {
  const { page, complaints, [Symbol.asyncDispose]: close } = await openReport(browser(), shown, options);
  onTestFinished(async () => {
    await close();
    expect(complaints).toEqual([]);
  });
  return page;
}

const playedTo = (page: Page) => page.evaluate('document.querySelector("details[open] audio").currentTime');

describe('the page of a report', () => {
  test('has the verdict, totals, all files, and the worst file with its errors', async () => {
    const page = await open(report, { media });
    expect(await page.locator('h1').innerText()).toContain('✓ passed');
    expect(await page.locator('table.sortable tbody tr').count()).toBe(4);
    expect(await page.locator('tr.lost').innerText()).toContain('the service went away');
    const run = page.locator('details.run').nth(2);
    expect(await run.getAttribute('open')).toBe('');
    await page.locator('summary', { hasText: NAME }).click();
    const differences = page.locator('#run-0 .differences');
    expect(await differences.locator('.substitution').textContent()).toContain('mister');
    expect(await differences.locator('del').allTextContents()).toEqual(['mister', 'leisure']);
    expect(await differences.locator('ins').allTextContents()).toEqual(['missed', 'oh']);
    expect(await differences.locator('.unseen').allTextContents()).toContain('[substituted: ');
    expect(await page.locator('#run-0 .strip button.word').count()).toBe(words.length);
  });

  test('has the measures of a run', async () => {
    const page = await open(first, { media });
    const figures = await page.locator('.panels').innerText();
    for (const known of ['0.42\u00A0s', '1.13\u00A0s', 'gave-up', 'Narrator', '1 of 2', 'embedded']) {
      expect(figures).toContain(known);
    }
    expect(await page.locator('.band.hole').count()).toBe(1);
    expect(await page.locator('.tick').count()).toBe(3);
  });

  test('has the totals of words, characters, speakers and keywords in their sections', async () => {
    const keywords = { recall: 0.5, keywords: [{ keyword: 'dashwood', said: 2, heard: 1 }] };
    const speakers = [{ speaker: 'Narrator', wer: 0.1, words: counts }];
    const werInterval = { low: 0.01, high: 0.05 };
    const more = { keywords, speakers, werInterval, characters: { tokens: 300, errors: 9 } };
    const page = await open(reportOf([report.files[0]!], more));
    const tile = (name: string) => page.locator('.tiles > div', { hasText: name }).innerText();
    expect(await tile('Word error rate')).toMatch(/95 %: 1\.00 % to 5\.00 %; 1 sub, 1 del, 1 ins of \d+$/);
    expect(await tile('Character error rate')).toContain('9 errors of 300');
    expect(await tile('Keyword recall')).toContain('50.00 %');
    const sections = page.locator('main > section');
    expect(await sections.filter({ hasText: 'Speakers' }).last().innerText()).toContain('Narrator');
    const check = { kind: 'threshold', measure: 'wer', message: 'fine', value: 0, limit: 1 } as const;
    const gate = { passed: true, checks: [{ ...check, passed: true }] };
    const passed = await open(reportOf([], { gate }));
    expect(await passed.locator('summary').innerText()).toBe('1 check passed');
  });

  test('marks rates of agreement with a recording', async () => {
    const file = fileOf('played', words, { reference: 'recording' });
    const page = await open(reportOf([file]));
    expect(await page.locator('.tiles').innerText()).not.toContain('error rate');
    expect(await page.locator('table.sortable tbody').innerText()).toMatch(/\s% †/);
    expect(await page.getByText('not with a reference').count()).toBe(3);
  });

  test('draws the waveform and plays the audio from a clicked word', async () => {
    const page = await open(first, { media });
    const outline = await page.locator('.wave path').getAttribute('d');
    expect(outline!.split('L').length).toBeGreaterThan(2000);
    await expect
      .poll(() => page.evaluate('document.querySelector("audio").duration'))
      .toBeCloseTo(SECONDS, 0);
    const dashwood = words.find(({ reference }) => reference === 'dashwood')!;
    await page.locator('.strip button.word', { hasText: 'dashwood' }).click();
    await expect.poll(() => playedTo(page)).toBeCloseTo(dashwood.ts!, 2);
    const young = words.find(({ reference }) => reference === 'young')!;
    await page.locator('.differences .step', { hasText: /^young$/ }).click();
    await expect.poll(() => playedTo(page)).toBeCloseTo(young.ts!, 2);
    expect(await page.locator('.step.now').innerText()).toBe('young');
  });

  test('seeks to a click on the waveform, and follows the playback', async () => {
    const page = await open(first, { media });
    const wave = page.locator('.wave');
    const { width } = (await wave.boundingBox())!;
    await wave.click({ position: { x: width / 2, y: 10 } });
    await expect.poll(() => playedTo(page)).toBeCloseTo(SECONDS / 2, 0);
    const before = Number(await wave.getAttribute('aria-valuenow'));
    await wave.press('Space');
    await expect
      .poll(async () => Number(await wave.getAttribute('aria-valuenow')))
      .toBeGreaterThan(before + 0.3);
    expect(await page.evaluate('document.querySelector(".strip").scrollLeft')).toBeGreaterThan(500);
  });

  test('shows the words under their sound, at every zoom', async () => {
    const page = await open(first, { media });
    const last = words.filter(({ ts }) => ts !== undefined).at(-1)!;
    for (const zoom of ['Show less time', 'Show more time', 'Show more time']) {
      await page.getByRole('button', { name: zoom }).click();
      const [wave, lane] = await Promise.all(
        ['.wave', '.lane'].map(async part => (await page.locator(part).boundingBox())!),
      );
      const place = (await page.locator('.strip button.word').last().boundingBox())!;
      expect(wave!.x).toBeCloseTo(lane!.x, 0);
      expect((SECONDS * (place.x - wave!.x)) / wave!.width).toBeCloseTo(last.ts!, 1);
    }
  });

  test('can be used by keyboard alone', async () => {
    const page = await open(first, { media });
    await page.locator('.wave').focus();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => playedTo(page)).toBeCloseTo(11, 1);
    await page.keyboard.press('Home');
    await page.keyboard.press('Tab');
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    expect(await focused()).toContain('right: said and, heard and');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toContain('substituted: said mister, heard missed');
    await page.keyboard.press('Enter');
    await expect.poll(() => playedTo(page)).toBeCloseTo(words[1]!.ts!, 2);
    await page.locator('button', { hasText: 'error ▶' }).press('Enter');
    expect(await focused()).toContain('deleted: said leisure');
    await page.keyboard.press('End');
    expect(await focused()).toContain('said himself');
  });

  test('shows errors only, with some context', async () => {
    const page = await open(first, { media });
    const differences = page.locator('.differences');
    expect(await differences.innerText()).toContain('respectable');
    await page.getByLabel('errors only').press('Space');
    const shown = await differences.innerText();
    expect(shown).not.toContain('respectable');
    expect(shown).toContain('dashwood had then');
    expect(shown).toContain('…');
    await page.getByLabel('errors only').press('Space');
    expect(await differences.innerText()).toContain('respectable');
  });

  test('sorts its table by any column, in both directions', async () => {
    const page = await open(report);
    const names = () => page.locator('table.sortable tbody td:first-child').allInnerTexts();
    await page.locator('th button', { hasText: 'WER' }).press('Enter');
    expect((await names())[0]).toBe('b second');
    expect((await names()).at(-1)).toBe('a fourth');
    await page.locator('th button', { hasText: 'WER' }).press('Enter');
    expect((await names())[0]).toBe('a third');
    expect((await names()).at(-1)).toBe('a fourth');
    expect(await page.locator('th[aria-sort=descending]').innerText()).toContain('WER');
  });

  test('opens a run that its table links to', async () => {
    const page = await open(report);
    await page.locator('a', { hasText: 'b second' }).click();
    await expect.poll(() => page.locator('#run-1 .differences').innerText()).toContain('he was young');
  });

  test.each(['light', 'dark'] as const)('has sufficient contrast when it is %s', async colorScheme => {
    const page = await open(report, { media, browser: { colorScheme } });
    const contrasts = (await page.evaluate(CONTRASTS)) as Record<string, number>;
    expect(Object.keys(contrasts)).toHaveLength(6);
    for (const [name, contrast] of Object.entries(contrasts)) expect(contrast, name).toBeGreaterThan(4.5);
  });

  test('has no columns and tiles of unmeasured values', async () => {
    const page = await open(reportOf([fileOf('talk', [])]));
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/Coverage\s+100\.00 %/);
    expect(text).not.toMatch(/WER|CER|First partial|rate|–\s*$/m);
  });

  test('fits a width of 360 pixels', async () => {
    const viewport = { width: 360, height: 700 };
    const long = fileOf(`${'long'.repeat(60)} name`, words, {
      ...report.files[0],
      name: 'w'.repeat(300),
      mismatches: ['x'.repeat(400)],
    });
    const page = await open(reportOf([long, ...report.files]), {
      media,
      browser: { viewport },
    });
    await page.evaluate('document.querySelectorAll("details").forEach(run => { run.open = true })');
    await expect.poll(() => page.locator('.differences').count()).toBe(4);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });

  test('has all words of an hour, and reaches the last with one key', async () => {
    const hour = alignedText(`${`${text} `.repeat(140)}end`, edits, 3600);
    const page = await open(reportOf([fileOf('hour', hour, { seconds: 3600 })]));
    expect(await page.locator('.strip button.word').count()).toBe(hour.length);
    expect(await page.locator('.differences [data-word]').count()).toBe(hour.length);
    await page.locator('.strip button.word').first().press('End');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('end');
    await page.keyboard.press('Enter');
    expect(Number(await page.locator('.wave').getAttribute('aria-valuenow'))).toBeGreaterThan(3599);
  });

  test('has tables that fit 1280 pixels, with every column', async () => {
    const quantiles = { p50: 10.41, p95: 10.93, p99: 11.2, max: 12, count: 60, latest: [] };
    const delay = { firstPartial: quantiles, word: quantiles, final: quantiles };
    const keywords = { recall: 0.5, keywords: [{ keyword: 'dashwood', said: 2, heard: 1 }] };
    const more = { delay, keywords, reconnects: 3, attempts: 5 };
    const file = fileOf('recordings/customer calls/a long name', words, more);
    const page = await open(reportOf([file], more), {
      browser: { viewport: { width: 1280, height: 900 } },
    });
    const widths = await page
      .locator('.scroll')
      .evaluateAll(all => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(widths).toEqual([0, 0, 0]);
  });

  test('keeps each number of a table on one line with its unit', async () => {
    const quantiles = { p50: 10.41, p95: 10.93, p99: 11.2, max: 12, count: 60, latest: [] };
    const delay = { firstPartial: quantiles, word: quantiles, final: quantiles };
    const page = await open(reportOf([fileOf('one', words, { delay })], { delay }), {
      browser: { viewport: { width: 400, height: 900 } },
    });
    const cells = await page.locator('table.sortable td.number').evaluateAll(all =>
      all.map(cell => {
        const range = cell.ownerDocument.createRange();
        const text = cell.firstChild as Parameters<typeof range.setStart>[0];
        const topOf = (from: number) => {
          range.setStart(text, from);
          range.setEnd(text, from + 1);
          return range.getBoundingClientRect().top;
        };
        const unit = text.textContent!.search(/[%s]$/);
        return unit < 0 || topOf(unit) === topOf(unit - 2);
      }),
    );
    expect(cells.length).toBeGreaterThan(5);
    expect(cells.filter(isWhole => !isWhole)).toEqual([]);
  });

  test('executes nothing of hostile texts', async () => {
    const hostile = `</script><img src=x onerror="alert(1)"><!--<script>alert(2)</script>\u2028'"&amp;`;
    const step = { reference: hostile, hypothesis: `${hostile}!`, ts: 0, endTs: 1, speaker: hostile };
    const figures = { value: 1, limit: 0 };
    const check = {
      kind: 'threshold',
      file: hostile,
      measure: hostile,
      passed: false,
      message: hostile,
      ...figures,
    } as const;
    const file = fileOf(hostile, [{ type: 'substitution', ...step }], {
      mismatches: [hostile],
      language: hostile,
      service: hostile,
      speakers: [{ speaker: hostile, wer: 0, words: counts }],
      keywords: { recall: 0, keywords: [{ keyword: hostile, said: 1, heard: 0 }] },
    });
    const lost = fileOf(`${hostile}2`, [], { failure: hostile });
    const whole = reportOf([file, lost], {
      suite: hostile,
      gate: { passed: false, checks: [check] },
      rules: [hostile],
    });
    const page = await open(whole);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('h1 bdi').textContent()).toBe(hostile);
    expect(await page.locator('.differences del').textContent()).toBe(hostile);
    expect(await page.locator('.differences ins').textContent()).toBe(`${hostile}!`);
  });

  test('cannot run or fetch injected content', async () => {
    await using opened = await openReport(browser(), report);
    const refused = () => opened.page.evaluate('[...globalThis.refused].sort()');
    await opened.page.evaluate(INTRUSION);
    const directives = ['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem'];
    await expect.poll(refused).toEqual([...directives, 'style-src-attr']);
    expect(await opened.page.evaluate('globalThis.ran')).toBeUndefined();
  });
});

describe('audio of a page', () => {
  test('may come from a function that opens bytes', async () => {
    const inside: ReportMedia = new Map([[NAME, { audio: () => createReadStream(samplePath(NAME)) }]]);
    const page = await open(first, { media: inside });
    await expect
      .poll(() => page.evaluate('document.querySelector("audio").duration'))
      .toBeCloseTo(SECONDS, 0);
  });

  test('that is too large is left out with a reason, but keeps its waveform', async () => {
    const page = await open(first, {
      media,
      html: { maxSoundBytes: 1000 },
    });
    expect(await page.locator('audio').count()).toBe(0);
    expect(await page.locator('p.box').allInnerTexts()).toContainEqual(expect.stringContaining('too large.'));
    expect(await page.locator('.wave path').count()).toBe(1);
    await page.locator('.strip button.word', { hasText: 'dashwood' }).click();
    expect(await page.locator('.step.now').innerText()).toBe('dashwood');
  });

  test('that cannot be read is reported, and a page without audio is complete', async () => {
    const nowhere: ReportMedia = new Map([[NAME, { audio: '/nowhere.wav' }]]);
    const page = await open(first, { media: nowhere });
    expect(await page.locator('details[open] p.box').innerText()).toContain('Cannot read');
    const without = await open(reportOf([{ ...report.files[0]!, ...PLAIN_MEASURES, alignment: [] }]));
    expect(await without.locator('details[open] p.box').innerText()).toContain('was not available');
  });
});

/** Injects hostile content and returns what the policy of the page refuses. */
const INTRUSION = `
  globalThis.refused = new Set();
  document.addEventListener('securitypolicyviolation', event => globalThis.refused.add(event.effectiveDirective));
  document.body.insertAdjacentHTML('beforeend', '<img src="https://example.com/x.png"><p onclick="globalThis.ran = true" style="color: red"></p><iframe src="https://example.com"></iframe>');
  document.body.lastElementChild.previousElementSibling.click();
  const script = document.createElement('script');
  script.textContent = 'globalThis.ran = true';
  document.body.append(script);
  fetch('https://example.com').catch(() => {});`;

/** Returns the contrast of the most important texts with their background, by WCAG 2.2. */
const CONTRASTS = `(() => {
  const luminance = rgb => {
    const [r, g, b] = rgb.match(/[\\d.]+/g).map(value => value / 255).map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backOf = element => {
    const { backgroundColor } = getComputedStyle(element);
    return backgroundColor.startsWith('rgba(0, 0, 0, 0') ? backOf(element.parentElement) : backgroundColor;
  };
  const names = ['body', '.soft', '.bad', '.legend .substitution ins', '.legend .deletion del', '.legend .insertion ins'];
  return Object.fromEntries(names.map(name => {
    const element = document.querySelector(name);
    const [one, other] = [luminance(getComputedStyle(element).color), luminance(backOf(element))].sort((a, b) => b - a);
    return [name, (one + 0.05) / (other + 0.05)];
  }));
})()`;
