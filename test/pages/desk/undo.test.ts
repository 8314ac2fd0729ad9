// @module-tag tools
import { beforeAll, expect, test } from 'vitest';
import { useChromium } from '../../helpers/chromium.ts';
import { addPerson, DESK_ADMIN_TOKEN, TWO_VOICES, waitingHumanJob } from '../../helpers/deskClient.ts';
import { editorOf, personAtPage, untilSaved } from '../../helpers/deskPage.ts';
import { eventually } from '../../helpers/eventually.ts';
import { keptService } from '../../helpers/keptService.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';

const service = keptService({ adminToken: DESK_ADMIN_TOKEN, diarizer: createScriptedDiarizer() });
const browser = useChromium();
beforeAll(() => addPerson(service(), 'ann'));

test('what was typed, split and named before a reload can be undone and done again after it, with times and speakers', async () => {
  const id = await waitingHumanJob(service(), {}, TWO_VOICES);
  const { page, complaints } = await personAtPage(browser(), service(), 'ann');
  await page.goto(`${service().url}/desk/#/jobs/${id}`);
  await editorOf(page).waitFor();
  const draft = async () => {
    await untilSaved(page);
    const path = `${service().url}/desk/api/jobs/${id}/draft`;
    const { turns, speaker_names = [] } = await (await page.request.get(path)).json();
    return { turns, speaker_names };
  };
  const states = [await draft()];
  const step = async (change: () => Promise<void>) => {
    await page.keyboard.press('Alt+T');
    await change();
    states.push(await draft());
  };
  await step(async () => {
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+Delete');
    await page.keyboard.type('New');
  });
  await step(async () => {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Alt+Enter');
  });
  await step(async () => {
    await page.keyboard.press('Alt+S');
    await page.locator('[name=speaker]:focus').waitFor();
    await page.keyboard.type('Ada');
    await page.keyboard.press('Enter');
  });
  await step(async () => {
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Last.');
  });
  expect(new Set(states.map(state => JSON.stringify(state))).size).toBe(states.length);

  await page.reload();
  await editorOf(page).waitFor();
  expect(await draft()).toEqual(states.at(-1));
  await page.keyboard.press('Alt+T');
  for (const state of states.slice(0, -1).toReversed()) {
    await page.keyboard.press('Control+Z');
    await eventually(async () => expect(await draft()).toEqual(state));
  }
  for (const state of states.slice(1)) {
    await page.keyboard.press('Control+Y');
    await eventually(async () => expect(await draft()).toEqual(state));
  }
  await page.goto(`${service().url}/desk/#/`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Password').waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  expect(complaints).toEqual([]);
}, 120_000);
