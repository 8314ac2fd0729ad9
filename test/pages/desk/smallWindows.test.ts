// @module-tag tools
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useChromium } from '../../helpers/chromium.ts';
import { addPerson, DESK_ADMIN_TOKEN, waitingHumanJob } from '../../helpers/deskClient.ts';
import { editorOf, personAtPage } from '../../helpers/deskPage.ts';
import { keptService, speechFile } from '../../helpers/keptService.ts';
import { createScriptedAligner } from '../../helpers/scriptedAligner.ts';

const service = keptService({ adminToken: DESK_ADMIN_TOKEN, aligner: createScriptedAligner() });
const browser = useChromium();
let id = '';
beforeAll(async () => {
  await addPerson(service(), 'ann');
  const speech = Array.from({ length: 1200 }, (_, index) =>
    index % 30 < 24 && index % 3 === 0 ? 1 + (index % 20) : 0,
  );
  id = await waitingHumanJob(
    service(),
    { custom_vocabularies: [{ phrases: ['Ada Lovelace'] }] },
    speechFile(speech),
  );
});

/** Returns the lines of text that the window shows at once. */
const linesSeen = (page: Page) =>
  page.evaluate(`{
    const scroller = document.querySelector('.cm-scroller');
    scroller.scrollIntoView({ block: 'end' });
    const { top, bottom } = scroller.getBoundingClientRect();
    const line = Number.parseFloat(getComputedStyle(document.querySelector('.cm-line')).lineHeight);
    Math.floor((Math.min(bottom, innerHeight) - Math.max(top, 0)) / line);
  }`) as Promise<number>;

const ROWS_OF_SEARCH = `{
  const controls = [...document.querySelectorAll('.search-panel :is(input, button)')];
  new Set(controls.map(control => Math.round(control.getBoundingClientRect().top))).size;
}`;

// A window of 1280 x 800 pixels at 100, 150 and 200 %, and small ones.
test.each([
  [1280, 800, 1],
  [853, 533, 1],
  [640, 400, 2],
  [640, 800, 2],
  [390, 800, 2],
  [320, 640, 3],
])(
  'a window of %i x %i shows ten lines of text at least, nothing beside itself, and the search in %i rows at most',
  async (width, height, rows) => {
    const { page } = await personAtPage(browser(), service(), 'ann', { width, height });
    await page.goto(`${service().url}/desk/#/jobs/${id}`);
    await page.getByRole('button', { name: 'Claim' }).or(editorOf(page)).first().waitFor();
    await editorOf(page).waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const top = "document.querySelector('.text-of-job').getBoundingClientRect().top";
    expect(await page.evaluate(top), 'controls above the text').toBeLessThanOrEqual(height / 2);
    expect(await linesSeen(page)).toBeGreaterThanOrEqual(10);
    await page.getByRole('button', { name: 'From a blank sheet' }).scrollIntoViewIfNeeded();
    const wide =
      "['.work', '.side'].map(name => document.querySelector(name)).filter(part => part.scrollWidth > part.clientWidth)";
    expect(await page.evaluate(`${wide}.length`)).toBe(0);
    await editorOf(page).focus();
    await page.keyboard.press('Control+F');
    await page.getByLabel('Find', { exact: true }).fill('W');
    await page.getByRole('button', { name: 'Replace all' }).waitFor();
    await page.keyboard.press('Control+H');
    expect(await page.evaluate('document.activeElement.name')).toBe('replace');
    expect(await page.evaluate(ROWS_OF_SEARCH)).toBeLessThanOrEqual(rows);
  },
  60_000,
);
