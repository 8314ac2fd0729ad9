// @module-tag tools
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { operatorRoutes } from '../../src/captions/control/operatorRoutes.ts';
import { startTestSite } from '../browser/testPage.ts';
import { DeskControl } from '../captions/control/deskControl.ts';
import { openPage, says } from '../captions/outputs/page/pageClient.ts';
import { temporaryDirectory } from '../helpers/dataDirectory.ts';
import {
  addPerson,
  DESK_ADMIN_TOKEN,
  DESK_PASSWORD,
  deskAdministration,
  waitingHumanJob,
} from '../helpers/deskClient.ts';
import { eventually } from '../helpers/eventually.ts';
import { useFirefox } from '../helpers/firefox.ts';
import { keptService, speechFile } from '../helpers/keptService.ts';
import { createScriptedAligner } from '../helpers/scriptedAligner.ts';
import { TEST_TOKEN } from '../helpers/testService.ts';

const OPERATOR_TOKEN = 'operator-token-0123456789';

const open = useFirefox();
const service = keptService({
  adminToken: DESK_ADMIN_TOKEN,
  aligner: createScriptedAligner(),
  allowPrivateAddresses: true,
  open: true,
});
beforeAll(() => addPerson(service(), 'ann'));

describe('in Firefox', { timeout: 180_000 }, () => {
  test('the page of the audience shows captions, and takes them back', async () => {
    const { page: server, output } = await openPage();
    const { page, complaints, sees, until } = await open(server.url);
    await sees('Captions will appear here.');
    output.take(says('Good morning,'));
    await sees('Good morning,');
    output.take(says('everybody.', ['now']));
    await sees('Good morning, everybody.');
    await page.locator('::-p-aria(Settings)').click();
    await page.locator('::-p-aria(Position)').fill('top-left');
    await until('location.search', /position=top-left/);
    output.take({ type: 'off' });
    await until("document.querySelector('.text').innerText", /^$/);
    expect(complaints).toEqual([]);
  });

  test('the page of the operator asks for the token, pauses, and types in place of the captions', async () => {
    const { page: server, output } = await openPage();
    const control = new DeskControl(step => output.take(step));
    server.route('/operator', operatorRoutes([{ name: '', control }], { token: OPERATOR_TOKEN }));
    const { page, complaints, enter, keys, press, sees } = await open(new URL('operator', server.url).href);
    await enter('Token', OPERATOR_TOKEN);
    await sees('Captions are on');
    await press('Pause');
    await sees('Captions are paused');
    await keys('Shift', 'F2');
    await sees('Captions are on');
    await page.keyboard.press('F8');
    await page.locator('input:enabled:focus').wait();
    await page.keyboard.type('Good day.');
    await page.keyboard.press('Enter');
    await eventually(() => expect(control.commands.at(-1)).toEqual({ type: 'type', text: 'Good day.' }));
    await page.keyboard.press('F9');
    await sees('Captions are off');
    expect(complaints).toEqual([]);
  });

  test('the page / transcribes a file and the microphone', async () => {
    const { page, complaints, press, sees, until } = await open(`${service().url}/`);
    const path = join(await temporaryDirectory(), 'talk.wav');
    await writeFile(path, speechFile());
    const input = await page.waitForSelector('input[type=file]');
    await (input as ElementHandle<never>).uploadFile(path);
    await sees('W4 w7. W9.');
    await press('Microphone');
    await sees('Listening.');
    await until("document.querySelector('[role=log]').innerText", /w\d/i);
    await press('Stop');
    await sees('Recording of ');
    await until("document.querySelector('.result .text').innerText", /w\d/i);
    await press('▶');
    await until("String(document.querySelector('audio').currentTime)", /[1-9]/);
    expect(complaints).toEqual([]);
  });

  test('the desk takes a correction', async () => {
    const id = await waitingHumanJob(service());
    const { page, complaints, enter, keys, press, until } = await open(`${service().url}/desk/`);
    await page.locator('::-p-aria(Name)').click();
    await page.keyboard.type('ann');
    await enter('Password', DESK_PASSWORD);
    await press('Claim');
    await page.locator('::-p-aria(Transcript)').wait();
    await keys('Alt', 't');
    await keys('Control', 'Home');
    await page.keyboard.type('Corrected ');
    await until('document.querySelector(\'[aria-label^="Text: "]\').ariaLabel', /: saved/i);
    await page.reload();
    await until("document.querySelector('.cm-content').innerText", /Corrected W4/);
    await deskAdministration(service(), 'POST', `/human-jobs/${id}/finish`, 'Done.');
    expect(complaints).toEqual([]);
  });

  test('rxscribe/browser streams the microphone to the service', async () => {
    const { page, complaints, until } = await open(await startTestSite());
    await page.evaluate(`listen(${JSON.stringify({ url: service().url, token: TEST_TOKEN })})`);
    await until('state.text || JSON.stringify([state.error, ...state.events])', /w\d/i);
    await page.evaluate('subscription.unsubscribe()');
    expect(complaints).toEqual([]);
  });
});
