// @module-tag tools
import { expect, test } from 'vitest';
import { axeFindings } from '../../helpers/axeFindings.ts';
import { useChromium } from '../../helpers/chromium.ts';
import { keptDesk, TWO_VOICES, waitingHumanJob } from '../../helpers/deskClient.ts';
import { editorOf, linesOf, personAtPage, untilSaved } from '../../helpers/deskPage.ts';
import { eventually } from '../../helpers/eventually.ts';

const service = keptDesk();
const browser = useChromium();

test('two windows that write the same job are merged by word; a place that both change is asked about', async () => {
  const id = await waitingHumanJob(service(), {}, TWO_VOICES);
  const { page: one, newTab } = await personAtPage(browser(), service(), 'ann');
  const other = await newTab();
  for (const page of [one, other]) {
    await page.goto(`${service().url}/desk/#/jobs/${id}`);
    await editorOf(page).waitFor();
  }
  await one.bringToFront();
  await one.keyboard.press('Control+Home');
  await one.keyboard.type('One ');
  await untilSaved(one);
  await other.bringToFront();
  await other.keyboard.press('Control+End');
  await other.keyboard.type(' other.');
  await other.getByRole('status').getByText('Changes of ann are merged with the text.').waitFor();
  await untilSaved(other);
  const [first, , last] = await linesOf(other);
  expect([first, last]).toEqual([expect.stringMatching(/^One /), expect.stringMatching(/ other\.$/)]);

  await one.bringToFront();
  await one.keyboard.press('Control+Home');
  await one.keyboard.type('Mine, ');
  await one.getByRole('status').getByText('are merged').waitFor();
  await untilSaved(one);
  await other.bringToFront();
  await other.keyboard.press('Control+Home');
  await other.keyboard.type('Theirs, ');
  await other.getByRole('button', { name: 'Merge' }).click();
  const dialog = other.getByRole('dialog', { name: 'Turns that were changed twice' });
  await dialog.getByText('Saved by ann').waitFor();
  expect(await dialog.locator('mark').allTextContents()).toEqual(['Theirs, ', 'Mine, ']);
  // The focus is on the choice, whose name has the text.
  await dialog
    .getByRole('radio', { name: /^Both Speaker 1: Theirs, Mine, One / })
    .and(other.locator(':focus'))
    .waitFor();
  expect(await axeFindings(other)).toEqual([]);
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await untilSaved(other);
  const merged = await linesOf(other);
  expect(merged[0]).toMatch(/^Theirs, Mine, One (?!.*One )/);
  await one.reload();
  await editorOf(one).waitFor();
  await eventually(async () => expect(await linesOf(one)).toEqual(merged));
}, 120_000);
