// @module-tag tools
import { expect, test } from 'vitest';
import { useChromium } from '../../helpers/chromium.ts';
import { keptDesk, logIn, waitingHumanJob } from '../../helpers/deskClient.ts';
import { editorOf, personAtPage, saveStateOf } from '../../helpers/deskPage.ts';
import { eventually } from '../../helpers/eventually.ts';
import { speechFile } from '../../helpers/keptService.ts';

const service = keptDesk();
const browser = useChromium();

/** Words of two voices: the loud ones are those of the second. */
const TALK = speechFile([4, 7, 8, 9, 0, 0, 0, 104, 107, 108, 109, 0, 0, 0, 5, 6, 7, 8]);
const ROUNDS = 6;

/** Opens a window on the job whose network can be cut: requests do not arrive, or their answers are lost. */
async function openWindow(id: string, tag: string) {
  const { page, context, complaints } = await personAtPage(browser(), service(), 'ann');
  let cut: 'request' | 'answer' | undefined;
  await context.route('**/desk/api/**', async route => {
    if (!cut) return route.continue();
    if (cut === 'answer') await route.fetch().catch(() => undefined);
    await route.abort();
  });
  await page.goto(`${service().url}/desk/#/jobs/${id}`);
  await editorOf(page).waitFor();
  const typed: string[] = [];
  return {
    complaints,
    typed,
    cutOff: (kind: typeof cut) => {
      cut = kind;
    },
    /** Types a word of its own behind another one, by keys alone. */
    async type(round: number) {
      const word = `${tag}${round}z`;
      await page.keyboard.press('Alt+T');
      await page.keyboard.press('Control+Home');
      for (let turn = 0; turn < round % 3; turn++) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Home');
      for (let at = 0; at < 1 + (round % 2); at++) await page.keyboard.press('Control+ArrowRight');
      await page.keyboard.type(` ${word}`, { delay: 20 });
      typed.push(word);
    },
    /** Waits until all is saved. Both texts are taken where it is asked. */
    untilSaved: () =>
      eventually(async () => {
        const merge = page.getByRole('button', { name: 'Merge' });
        if (await merge.last().isVisible()) await merge.last().click({ timeout: 1000 });
        expect(await saveStateOf(page).getAttribute('aria-label')).toMatch(/: saved/i);
      }),
  };
}

test('has each word once that two windows type at the same places, whatever the network loses', {
  tags: 'slow',
  timeout: 240_000,
}, async () => {
  const id = await waitingHumanJob(service(), {}, TALK);
  const windows = [await openWindow(id, 'q'), await openWindow(id, 'x')] as const;
  for (let round = 0; round < ROUNDS; round++) {
    const [cut, other] = round % 2 === 0 ? windows : windows.toReversed();
    cut!.cutOff(round % 3 === 0 ? 'answer' : 'request');
    await Promise.all([cut!.type(round), other!.type(round)]);
    await other!.untilSaved();
    await cut!.type(ROUNDS + round);
    cut!.cutOff(undefined);
    // The other window goes on while this one returns.
    await Promise.all([other!.type(ROUNDS + round), cut!.untilSaved()]);
  }
  // What one merges and saves is merged by the other when that saves next.
  for (const window of windows) await window.untilSaved();
  const ann = await logIn(service(), 'ann');
  const { turns } = (await ann.call('GET', `/jobs/${id}/draft`)).json();
  const words = turns.flatMap(({ text }: { text: string }) => text.split(/\s+/));
  const typed = windows.flatMap(window => window.typed);
  expect(words.filter((word: string) => /^[qx]\d+z$/.test(word)).toSorted()).toEqual(typed.toSorted());
  expect(windows.flatMap(({ complaints }) => complaints)).toEqual([]);
});
