// @module-tag tools
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { operatorRoutes } from '../../src/captions/control/operatorRoutes.ts';
import { DeskControl } from '../captions/control/deskControl.ts';
import { openPage, says } from '../captions/outputs/page/pageClient.ts';
import { axeFindings } from '../helpers/axeFindings.ts';
import { openTab, useChromium } from '../helpers/chromium.ts';
import { addPerson, DESK_ADMIN_TOKEN, waitingHumanJob } from '../helpers/deskClient.ts';
import { editorOf, personAtPage } from '../helpers/deskPage.ts';
import { keptService, speechFile } from '../helpers/keptService.ts';
import { createScriptedAligner } from '../helpers/scriptedAligner.ts';
import { TEST_TOKEN } from '../helpers/testService.ts';
import { alignedText, fileOf, reportOf } from '../replay/report/exampleReport.ts';
import { openReport } from '../replay/report/html/pageInChromium.ts';

const OPERATOR_TOKEN = 'operator-token-0123456789';

const browser = useChromium(['--use-fake-device-for-media-stream']);
const service = keptService({ adminToken: DESK_ADMIN_TOKEN, aligner: createScriptedAligner() });
beforeAll(() => addPerson(service(), 'chief', 'admin'));

/** Checks a page in each of its looks. */
async function expectNoFindings(page: Page, looks: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const show of looks) {
    await show();
    expect(await axeFindings(page), String(show)).toEqual([]);
  }
}

describe('axe-core finds no fault', () => {
  test('on the desk: its log-in, queue, dialogs, administration, and a job that can be opened or not', async () => {
    const id = await waitingHumanJob(
      service(),
      { custom_vocabularies: [{ phrases: ['Ada Lovelace'] }], speaker_names: [{ display_name: 'Ada' }] },
      speechFile(Array.from({ length: 1200 }, (_, index) => (index % 3 === 0 ? 1 + (index % 20) : 0))),
    );
    const { page: entrance } = await openTab(browser());
    await entrance.goto(`${service().url}/desk/`);
    await entrance.getByLabel('Password').waitFor();
    expect(await axeFindings(entrance)).toEqual([]);
    const { page } = await personAtPage(browser(), service(), 'chief');
    const open = (hash: string) => page.goto(`${service().url}/desk/#/${hash}`);
    await expectNoFindings(page, [
      () => page.getByRole('button', { name: /^Claim speech/ }).waitFor(),
      () => page.getByRole('button', { name: 'Settings' }).click(),
      () => page.getByRole('button', { name: 'Change keys' }).click(),
      () => page.getByRole('button', { name: 'Add a key to Play or pause' }).click(),
      async () => {
        await page.keyboard.press('Alt+Shift+P');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Help' }).click();
      },
      async () => {
        await page.keyboard.press('Escape');
        await open('admin');
        await page.getByRole('heading', { name: 'Administration' }).waitFor();
      },
      async () => {
        await open('jobs/none');
        await page.getByText('finished or deleted').waitFor();
      },
      async () => {
        await open(`jobs/${id}`);
        await editorOf(page).waitFor();
      },
      async () => {
        await page.keyboard.press('Control+F');
        await page.keyboard.type('W(');
        await page.getByRole('button', { name: 'Regular expression' }).click();
        await page.getByText('Not a regular expression').waitFor();
      },
      async () => {
        await page.getByLabel('Find', { exact: true }).fill('W');
        await page.keyboard.press('Enter');
        await page.getByText(/^1 of /).waitFor();
      },
      async () => {
        await page.getByRole('button', { name: 'Replace all' }).click();
        await page.getByRole('dialog').waitFor();
      },
      async () => {
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.keyboard.press('Control+Shift+Enter');
      },
    ]);
  }, 300_000);

  test('on the page /: its entrance, a transcript with speakers, and a recording in progress', async () => {
    const { page: dark } = await openTab(browser(), { colorScheme: 'dark' });
    await dark.goto(`${service().url}/`);
    await dark.getByLabel('Token').waitFor();
    expect(await axeFindings(dark)).toEqual([]);
    for (const colorScheme of ['dark', 'light'] as const) {
      const { page } = await openTab(browser(), { colorScheme, permissions: ['microphone'] });
      await page.goto(`${service().url}/`);
      await page.getByLabel('Token').fill(TEST_TOKEN);
      await page.keyboard.press('Enter');
      const name = `${colorScheme}.wav`;
      const buffer = Buffer.from(speechFile([4, 7, 4, 7, 0, 0, 0, 9]));
      await expectNoFindings(page, [
        () => page.getByRole('heading', { name: 'Recent jobs' }).waitFor(),
        async () => {
          await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'audio/wav', buffer });
          await page.getByRole('heading', { name }).waitFor();
        },
        async () => {
          await page.getByRole('button', { name: 'Microphone' }).click();
          await page.getByText('Listening.').waitFor();
        },
      ]);
    }
  }, 120_000);

  test.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)(
    'on the reference of the API, %s and %i pixels wide: operations, tried out, and the log-in',
    async (colorScheme, width) => {
      const { page } = await openTab(browser(), { colorScheme, viewport: { width, height: 800 } });
      const operations = ['webhooks-postjobEnded', 'Account-', 'Streaming'];
      await expectNoFindings(page, [
        async () => {
          await page.goto(`${service().url}/docs`);
          for (const name of operations) {
            await page.locator(`[id^=operations-${name}] .opblock-summary-control`).first().click();
          }
          await page
            .locator('.responses-table')
            .nth(operations.length - 1)
            .waitFor();
        },
        async () => {
          await page.locator('[id^=operations-Account] .try-out__btn').click();
          await page.locator('.execute').click();
          await page.locator('.live-responses-table').waitFor();
        },
        async () => {
          await page.locator('.models button').first().click();
          await page.locator('.btn.authorize').click();
          await page.locator('.modal-ux').waitFor();
        },
      ]);
    },
    300_000,
  );

  test("on the operator's page: its entrance, and the controls", async () => {
    const { page: server, output } = await openPage();
    const control = new DeskControl(step => output.take(step));
    const figures = () => ({
      audioSeconds: 61,
      peakDb: -100,
      isConnected: true,
      problem: 'digital silence' as const,
      messages: [{ atMs: 0, text: 'The standby takes over.' }],
    });
    const rooms = ['hall', 'annex'].map(name => ({ name, track: '', control, figures }));
    server.route('/operator', operatorRoutes(rooms, { token: OPERATOR_TOKEN, viewers: () => 3 }));
    control.set({
      banned: ['damn'],
      outputs: [
        {
          name: 'page',
          delaySeconds: 2,
          waitingWords: 1,
          shownText: 'Good day.',
          shown: 3,
          skipped: 1,
          failures: 0,
        },
      ],
    });
    const { page } = await openTab(browser());
    await expectNoFindings(page, [
      () => page.goto(new URL('operator', server.url).href),
      async () => {
        await page.getByLabel('Token').fill(OPERATOR_TOKEN);
        await page.keyboard.press('Enter');
        output.take(says('Good day, everybody.', ['maybe']));
        await page.getByRole('button', { name: 'everybody.' }).waitFor();
      },
      () => page.getByRole('button', { name: 'Take over and type' }).click(),
      () => page.getByRole('button', { name: 'Kill hall' }).click(),
    ]);
  });

  test('on the page of the audience: its text in all colours, and the settings', async () => {
    const { page: server, output } = await openPage();
    server.track('de', { title: 'Deutsch', language: 'de' });
    output.take(says('Good day, everybody.', ['maybe']));
    const { page } = await openTab(browser());
    const open = (query: string) => async () => {
      await page.goto(server.url + query);
      await page.getByText('Good day, everybody.').waitFor();
    };
    await expectNoFindings(page, [
      ...['?theme=light', '?theme=contrast&rows=2', '?transparent=1&qr=1', '?qr=1'].map(open),
      () => page.locator('summary').click(),
      () => page.getByRole('button', { name: 'Settings' }).click(),
      async () => {
        output.take({ type: 'notice', text: '[captions paused]' });
        await open('?theme=light')();
        await page.getByText('Captions are paused.').waitFor();
      },
      async () => {
        output.take({ type: 'end' });
        await page.getByText('The captions have ended.').waitFor();
      },
      async () => {
        await page.goto(`${server.url}de`);
        await page.getByText('Captions will appear here.').waitFor();
      },
    ]);
  });

  test('on the report of a replay', async () => {
    const words = alignedText('he was not an ill-disposed young man', { young: 'old' }, 3);
    const delay = {
      firstPartial: null,
      word: { p50: 1, p95: 2, p99: 3, max: 3, count: 9, latest: [] },
      final: null,
    };
    const counts = { tokens: 7, hits: 6, substitutions: 1, deletions: 0, insertions: 0 };
    const speakers = [{ speaker: 'Narrator', wer: 1 / 7, words: counts }];
    const check = {
      kind: 'threshold',
      measure: 'wer',
      message: 'wer 14 % is above 10 %',
      value: 0.14,
    } as const;
    const checks = [false, true].map(passed => ({ ...check, passed, limit: 0.1 }));
    const report = reportOf([fileOf('first', words, { seconds: 3, delay, speakers })], {
      ...{ delay, speakers, gate: { passed: false, checks } },
    });
    // A page of 1280 pixels at twice its size.
    const viewport = { width: 640, height: 450 };
    await using opened = await openReport(browser(), report, { browser: { viewport } });
    await opened.page.locator('.differences').waitFor();
    await opened.page.evaluate('document.querySelectorAll("details").forEach(each => { each.open = true })');
    expect(await axeFindings(opened.page)).toEqual([]);
  });
});
