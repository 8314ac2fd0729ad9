// @module-tag tools
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../../helpers/axeFindings.ts';
import { useChromium } from '../../helpers/chromium.ts';
import {
  addPerson,
  DESK_ADMIN_TOKEN,
  deskAdministration,
  waitingHumanJob,
} from '../../helpers/deskClient.ts';
import { personAtPage } from '../../helpers/deskPage.ts';
import { eventually } from '../../helpers/eventually.ts';
import { keptService } from '../../helpers/keptService.ts';

const service = keptService({ adminToken: DESK_ADMIN_TOKEN });
const browser = useChromium();
const NOTE = `interview 7 ${'of a long series '.repeat(20)}`.trim();

beforeAll(async () => {
  const ann = await addPerson(service(), 'ann');
  await addPerson(service(), 'chief', 'admin');
  const finished = await waitingHumanJob(service());
  await ann.call('POST', `/jobs/${finished}/claim`);
  await eventually(async () =>
    expect((await ann.call('POST', `/jobs/${finished}/finish`, { revision: 0 })).status).toBe(204),
  );
  await waitingHumanJob(service(), { rush: true, metadata: NOTE, speakers_count: 2 });
  const lapsed = await waitingHumanJob(service(), { metadata: '<b>note</b>' });
  const claim = { worker: 'eve', seconds: 1 };
  await deskAdministration(service(), 'POST', `/human-jobs/${lapsed}/claim`, claim);
  await eventually(async () => {
    const jobs: { readonly lapsed_claim_of?: string }[] = (await ann.call('GET', '/jobs')).json();
    expect(jobs.some(job => job.lapsed_claim_of === 'eve')).toBe(true);
  });
  const mine = await waitingHumanJob(service());
  await ann.call('POST', `/jobs/${mine}/claim`);
});

const shown = (page: Page) => page.getByRole('table', { name: 'Jobs', exact: true }).locator('tbody tr');

test('shows customer, speakers, note, lapsed claims and own work, and a filter that lasts', async () => {
  const { page, complaints } = await personAtPage(browser(), service(), 'ann');
  await expect.poll(() => shown(page).count()).toBe(3);
  const counts = page.getByRole('main').getByRole('status');
  expect(await counts.innerText()).toBe('3 jobs waiting, 0 overdue, 3 shown');
  const rush = shown(page).filter({ hasText: 'Rush' });
  expect(await rush.innerText()).toMatch(/owner@localhost · 2 speakers · interview 7/);
  expect(await rush.locator('.hint').getAttribute('title')).toBe(`owner@localhost · 2 speakers · ${NOTE}`);
  expect(await shown(page).filter({ hasText: '<b>note</b>' }).count()).toBe(1);

  const find = page.getByLabel('Find');
  await page.getByLabel('Show').selectOption('Free');
  await expect.poll(() => counts.innerText()).toBe('3 jobs waiting, 0 overdue, 2 shown');
  const asked = page.waitForResponse(/desk\/api\/jobs$/);
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await asked;
  await expect
    .poll(() =>
      shown(page)
        .allInnerTexts()
        .then(texts => texts.join()),
    )
    .toContain('Claim of eve lapsed');
  expect(await shown(page).count()).toBe(2);
  await page.getByLabel('Show').selectOption('All');
  await find.fill('owner@');
  await expect.poll(() => shown(page).count()).toBe(3);
  await find.fill(' ENGLISH ');
  await expect.poll(() => shown(page).count()).toBe(3);
  await page.getByLabel('Show').selectOption('Mine');
  await expect.poll(() => shown(page).count()).toBe(1);
  await page.getByRole('button', { name: /^Continue/ }).click();
  await page.getByRole('button', { name: 'Finish' }).first().waitFor();
  await page.goBack();
  await expect.poll(() => counts.innerText()).toBe('3 jobs waiting, 0 overdue, 1 shown');
  await find.fill('nothing of the kind');
  await expect.poll(() => counts.innerText()).toBe('3 jobs waiting, 0 overdue, 0 shown');

  const own = page.getByRole('table', { name: 'My last jobs' }).locator('tbody tr');
  await expect
    .poll(() => own.allInnerTexts())
    .toEqual([expect.stringMatching(/speech\.wav\s+owner@localhost/)]);
  expect(complaints).toEqual([]);
});

test('shows figures to admins', async () => {
  const { page } = await personAtPage(browser(), service(), 'chief');
  await page.getByRole('link', { name: 'Administration' }).click();
  const rowOf = (title: string) => page.getByRole('table', { name: title }).locator('tbody tr').innerText();
  expect(await rowOf('Waiting jobs')).toMatch(/^3\s+0\s+1 min$/);
  expect(await rowOf('Audio finished')).toMatch(/^ann\s+0:00:00/);
  expect(await rowOf('Words of the machine')).toMatch(/^owner@localhost\s+3\s+0\.0 %$/);
});

// 1280 x 800 pixels at 200 %, and a phone.
test.each([
  [640, 400],
  [320, 640],
])('fits into a window of %i x %i', async (width, height) => {
  const { page } = await personAtPage(browser(), service(), 'chief', { width, height });
  for (const hash of ['', 'admin']) {
    await page.goto(`${service().url}/desk/#/${hash}`);
    await page.getByRole('table').first().waitFor();
    const wide =
      "Array.from(document.querySelectorAll('header, main'), each => each.scrollWidth - each.clientWidth)";
    expect(await page.evaluate(wide)).toEqual([0, 0]);
    expect(await axeFindings(page)).toEqual([]);
  }
});
