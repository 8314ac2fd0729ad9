// @module-tag tools
import { expect, test } from 'vitest';
import { axeFindings } from '../../helpers/axeFindings.ts';
import { useChromium } from '../../helpers/chromium.ts';
import { keptDesk, TWO_VOICES, waitingHumanJob } from '../../helpers/deskClient.ts';
import { editorOf, personAtPage, untilSaved } from '../../helpers/deskPage.ts';
import { eventually } from '../../helpers/eventually.ts';
import { request } from '../../helpers/testService.ts';

const service = keptDesk();
const browser = useChromium();

async function openJob(options: object = {}) {
  const id = await waitingHumanJob(service(), options, TWO_VOICES);
  const person = await personAtPage(browser(), service(), 'ann');
  await person.page.goto(`${service().url}/desk/#/jobs/${id}`);
  await editorOf(person.page).waitFor();
  const names = () => person.page.locator('.cm-turn button').allTextContents();
  return { ...person, id, names };
}

test('speakers are named by keys: those of the customer are offered, and what was named is in the transcript', async () => {
  const { page, id, names, complaints } = await openJob({
    speaker_names: [{ display_name: 'Ada' }, { display_name: 'Ben' }],
  });
  expect(await names()).toEqual(['Speaker 1', 'Speaker 2', 'Speaker 1']);
  await page.keyboard.press('Alt+s');
  await page.locator('[name=speaker]:focus').waitFor();
  await page
    .getByRole('button', { name: /^Listen to 0:00 / })
    .first()
    .waitFor();
  // The names are those with what is typed.
  await page.keyboard.type('be');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Speaker 1 is Ben now.').waitFor();
  expect(await names()).toEqual(['Ben', 'Speaker 2', 'Ben']);
  // The focus is in the text again.
  await page.keyboard.press('Alt+2');
  await page.getByRole('status').getByText('The turn is by Speaker 2 now.').waitFor();
  await untilSaved(page);
  await page.reload();
  await editorOf(page).waitFor();
  expect(await names()).toEqual(['Speaker 2', 'Speaker 2', 'Ben']);
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Finish' }).click();
  await page.getByText('is finished').waitFor();
  const transcript = await request(service(), `/speechtotext/v1/jobs/${id}/transcript`, {
    headers: { accept: 'application/vnd.svc.transcript.v1.0+json' },
  });
  const speakers = transcript
    .json()
    .monologues.map((monologue: Record<string, unknown>) => [monologue.speaker, monologue.speaker_info]);
  expect(speakers).toEqual([
    [1, undefined],
    [0, { id: '0', display_name: 'Ben' }],
  ]);
  expect(complaints).toEqual([]);
});

test('a label names the speaker of one turn, or joins speakers, by the mouse', async () => {
  const { page, names, complaints } = await openJob();
  const dialog = page.getByRole('dialog');
  await page.locator('.cm-turn button').nth(1).click();
  await dialog.getByLabel('The selected turns only').check();
  await dialog.getByLabel('Name of the speaker').fill('Cem');
  await dialog.getByRole('button', { name: 'Assign' }).click();
  expect(await names()).toEqual(['Speaker 1', 'Cem', 'Speaker 1']);
  await page.locator('.cm-turn button').first().click();
  await dialog.getByRole('button', { name: /^Cem/ }).click();
  expect(await names()).toEqual(['Cem', 'Cem', 'Cem']);
  await eventually(async () =>
    expect(await page.getByRole('complementary').getByText('3 turns').count()).toBe(1),
  );
  expect(complaints).toEqual([]);
  await page.getByRole('button', { name: 'Rename Cem' }).click();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove the name' }).click();
  expect(new Set(await names()).size).toBe(1);
});

test('the key for speakers says why it does nothing in a job without speakers', async () => {
  const { page } = await openJob({ skip_diarization: true });
  await page.keyboard.press('Alt+S');
  await page.getByRole('status').getByText('wants this job without speakers').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the heading has the focus after the log-in, the help is searched, and unseen characters are removed before delivery', async () => {
  const id = await waitingHumanJob(service(), {}, TWO_VOICES);
  const { page } = await personAtPage(browser(), service(), 'ann');
  await page.locator('h1:focus').getByText('Queue').waitFor();
  await page.keyboard.press('F1');
  await page.locator('[type=search]:focus').waitFor();
  await page.keyboard.type('speaker of the');
  await eventually(async () =>
    expect(await page.locator('.help dt').allTextContents()).toEqual(['Name the speaker of the turn']),
  );
  // The first one empties the field.
  for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Escape');
  await page.goto(`${service().url}/desk/#/jobs/${id}`);
  await editorOf(page).waitFor();
  await editorOf(page).focus();
  await page.keyboard.insertText('\u202eso\u200b');
  await page.keyboard.press('Control+Shift+Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Finish' }).click();
  await page.locator('h1:focus').getByText('Queue').waitFor();
  const text = await request(service(), `/speechtotext/v1/jobs/${id}/transcript`, {
    headers: { accept: 'text/plain' },
  });
  expect(text.text).not.toMatch(/[\u202e\u200b]/u);
});

test('the same sentence is a new element each time, so that a screen reader says it again', async () => {
  const { page } = await openJob();
  await page.keyboard.press('Control+Home');
  const split = page.getByRole('status').getByText('The turn is split.');
  await page.keyboard.press('Alt+Enter');
  const first = await split.elementHandle();
  await page.keyboard.press('Alt+Enter');
  await expect.poll(() => first!.evaluate(one => one.isConnected)).toBe(false);
  await split.waitFor();
});
