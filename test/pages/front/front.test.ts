// @module-tag tools
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codeSamples } from '../../../src/pages/front/codeSamples.ts';
import { moonshine } from '../../engines/moonshine/moonshine.ts';
import { openTab, useChromium } from '../../helpers/chromium.ts';
import { copiedDatabase } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { endOf, keptService, postMedia, speechFile } from '../../helpers/keptService.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { startServiceProcess } from '../../helpers/serviceProcess.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { wav } from '../../helpers/wavBytes.ts';

const SPEECH = new URL('../../../samples/not-ill-disposed.wav', import.meta.url).pathname;
const FILE = { name: 'talk.wav', mimeType: 'audio/wav', buffer: Buffer.from(speechFile()) };

const service = keptService({ open: true });
const closed = keptService();

const browser = useChromium([
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${SPEECH}`,
]);

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Opens the page of a service. */
async function openFront(url: string, permissions = ['microphone']) {
  const tab = await openTab(browser(), { permissions, acceptDownloads: true });
  await tab.page.goto(`${url}/`);
  return tab;
}

describe('the page / in Chromium', { timeout: 120_000 }, () => {
  test('asks for a token, keeps it for the tab, and forgets it', async () => {
    const { page, context } = await openFront(closed().url);
    await page.getByLabel('Token').fill('another');
    await page.keyboard.press('Enter');
    await page.getByText('The service does not accept this token.').waitFor();
    await page.getByLabel('Token').fill(TEST_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByText('owner@localhost').waitFor();
    await page.reload();
    await button(page, 'Log out').waitFor();
    const another = await context.newPage();
    await another.goto(`${closed().url}/`);
    await another.getByLabel('Token').waitFor();
    await button(page, 'Log out').click();
    await page.getByLabel('Token').waitFor();
    await page.reload();
    await page.getByLabel('Token').waitFor();
  });

  test('transcribes a file: its words play, and it is saved in all formats', async () => {
    const { page, complaints } = await openFront(service().url);
    await page.locator('input[type=file]').setInputFiles(FILE);
    await page.getByRole('heading', { name: 'talk.wav' }).waitFor();
    await page.getByText('W4 w7. W9.').waitFor();
    const seconds = () => page.evaluate("document.querySelector('audio').currentTime");
    await page.locator('.result .text [data-ts]').last().click();
    await expect.poll(seconds).toBeGreaterThanOrEqual(0.5);
    await page.evaluate("document.querySelector('audio').pause()");
    const words = page.locator('.wave [part=word]');
    await expect.poll(() => words.allInnerTexts()).toEqual(['W4', 'w7', 'W9']);
    const { x, y } = (await words.nth(1).boundingBox())!;
    await page.mouse.click(x + 5, y);
    await expect.poll(seconds).toBeLessThan(0.3);
    await page.getByRole('heading', { name: 'Save the transcript' }).waitFor();
    expect(await page.locator('details[open]').count()).toBe(0);
    for (const ending of ['.srt', '.vtt', '.ttml', '.scc', '.txt', '.jsonl', '.json']) {
      const saved = page.waitForEvent('download');
      await button(page, ending).click();
      const download = await saved;
      expect(download.suggestedFilename()).toBe(`talk${ending}`);
      expect(await readFile(await download.path(), 'utf8')).not.toBe('');
    }
    expect(complaints).toEqual([]);
  });

  test('explains the shading of words where there is any', async () => {
    const { page } = await openFront(service().url);
    const legend = page.getByText('Shaded words');
    const shaded = page.locator('.text [data-doubt=true]');
    for (const [levels, isDoubtful] of [
      [[4, 7], true],
      [[4, 14], false],
    ] as const) {
      const name = `${isDoubtful}.wav`;
      const buffer = Buffer.from(speechFile(levels));
      await page.locator('input[type=file]').setInputFiles({ ...FILE, name, buffer });
      await page.getByRole('heading', { name }).waitFor();
      expect([(await shaded.count()) > 0, await legend.isVisible()]).toEqual([isDoubtful, isDoubtful]);
    }
  });

  test('names speakers, also in what is saved', async () => {
    const options = { speaker_channels_count: 2 };
    const frames = scriptedSpeech([4, 7]);
    const both = wav(new Uint8Array(Int16Array.from([...frames].flatMap(frame => [frame, frame])).buffer), {
      channels: 2,
    });
    const { id } = (await postMedia(service(), '/speechtotext/v1/jobs', both, options)).json();
    await endOf(service(), `/speechtotext/v1/jobs/${id}`);
    const { page } = await openFront(service().url);
    await button(page, /^speech\.wav/).click();
    await page.getByText('2 speakers').click();
    await page.getByLabel('Name of Speaker 1').fill('Ada Lovelace');
    await page.locator('.label', { hasText: 'Ada Lovelace' }).waitFor();
    const saved = page.waitForEvent('download');
    await button(page, '.txt').click();
    expect(await readFile(await (await saved).path(), 'utf8')).toMatch(/^Speaker 0 .*\nAda Lovelace /);
  });

  test('lists recent jobs, opens them, and deletes them', async () => {
    const { page } = await openFront(service().url);
    await page.locator('input[type=file]').setInputFiles({ ...FILE, name: 'second talk.wav' });
    await page.getByRole('heading', { name: 'second talk.wav' }).waitFor();
    await page.reload();
    await button(page, /^second talk\.wav/).click();
    await page.getByText('W4 w7. W9.').waitFor();
    await page.getByText('only in the tab that it was sent from').waitFor();
    page.on('dialog', dialog => dialog.accept());
    await button(page, 'Delete second talk.wav').click();
    await button(page, /^second talk\.wav/).waitFor({ state: 'detached' });
  });

  test('says why a file has no transcript', async () => {
    const { page } = await openFront(service().url);
    const buffer = Buffer.from('no audio at all');
    await page.locator('input[type=file]').setInputFiles({ ...FILE, name: 'notes.txt', buffer });
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts())
      .toContainEqual(expect.stringMatching(/^notes\.txt: .+/));
  });

  test('takes a file that is dropped anywhere', async () => {
    const { page } = await openFront(service().url);
    await page.getByRole('heading', { name: 'Recent jobs' }).waitFor();
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(${JSON.stringify([...FILE.buffer])});
      dataTransfer.items.add(new File([bytes], 'dropped.wav', { type: 'audio/wav' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }`);
    await page.getByRole('heading', { name: 'dropped.wav' }).waitFor();
  });

  test('transcribes the microphone while somebody speaks, and plays it afterwards', async context => {
    const recognizer = await moonshine(context);
    const spoken = await startTestService({ recognizer, open: true, dataDirectory: await copiedDatabase() });
    const { page, complaints } = await openFront(spoken.url);
    await button(page, /Microphone/).click();
    const captions = page.getByRole('log', { name: 'Live captions' });
    await captions.locator('[data-ts], .tail').first().waitFor({ timeout: 60_000 });
    const [box, first] = [await captions.boundingBox(), await captions.locator('p').first().boundingBox()];
    expect(first!.y - box!.y).toBeLessThan(20);
    await captions.getByText(/young man/).waitFor({ timeout: 60_000 });
    await button(page, /Stop$/).click();
    const heading = page.getByRole('heading', { name: /^Recording of / });
    await heading.waitFor();
    expect(await page.locator('.result .text').innerText()).toMatch(/young man/);
    await button(page, 'Play from 0:00').first().click();
    await eventually(async () => {
      expect(await page.evaluate("document.querySelector('audio').currentTime")).toBeGreaterThan(0.2);
    });
    await eventually(async () => {
      expect(await button(page, /^Recording of .*0:/).count()).toBe(1);
    });
    expect(complaints).toEqual([]);
  });

  test('records on when its service starts again, with another token', async () => {
    const options = { open: true, dataDirectory: await copiedDatabase() };
    const first = await startTestService(options);
    const { page } = await openFront(first.url);
    await button(page, /Microphone/).click();
    await page.getByText('Listening.').waitFor();
    await first.close();
    await page.getByText('The connection is lost.').waitFor();
    await startTestService({ ...options, port: first.port });
    await page.getByText('Listening.').waitFor({ timeout: 60_000 });
    await button(page, /Stop$/).click();
    await page.getByRole('heading', { name: /^Recording of / }).waitFor();
    expect(await page.getByLabel('Token').count()).toBe(0);
  });

  test('marks the job of a service that crashed as replaced by the one that followed', async () => {
    const options = { open: true, dataDirectory: await copiedDatabase(), token: TEST_TOKEN };
    const first = await startServiceProcess(options);
    const { page } = await openFront(first.url);
    await button(page, /Microphone/).click();
    await page.getByText('Listening.').waitFor();
    await first.end('SIGKILL');
    await page.getByText('The connection is lost.').waitFor();
    await startServiceProcess({ ...options, port: Number(new URL(first.url).port) });
    await page.getByText('Listening.').waitFor({ timeout: 60_000 });
    await button(page, /Stop$/).click();
    await page.getByRole('heading', { name: /^Recording of / }).waitFor();
    const jobs = page.locator('.jobs li');
    await expect.poll(() => jobs.allInnerTexts()).toHaveLength(2);
    expect(await jobs.first().innerText()).not.toContain('replaced');
    await jobs.last().getByText('replaced by the recording above').waitFor();
  });

  test('keeps the recording when its token is refused', async () => {
    const options = { dataDirectory: await copiedDatabase() };
    const first = await startTestService(options);
    const { page } = await openFront(first.url);
    await page.getByLabel('Token').fill(TEST_TOKEN);
    await page.keyboard.press('Enter');
    await button(page, /Microphone/).click();
    await page.getByText('Listening.').waitFor();
    await first.close();
    await startTestService({ ...options, port: first.port, token: 'another-token-of-the-account' });
    await page
      .getByRole('dialog', { name: 'Log in again' })
      .getByLabel('Token')
      .fill('another-token-of-the-account');
    await page.keyboard.press('Enter');
    await page.getByText('owner@localhost').waitFor();
    await page.getByRole('heading', { name: /^Recording of / }).waitFor({ timeout: 60_000 });
    await page.locator('audio').waitFor();
  });

  test('ends a recording on request when its service does not come back', async () => {
    const gone = await startTestService({ open: true, dataDirectory: await copiedDatabase() });
    const { page } = await openFront(gone.url);
    await button(page, /Microphone/).click();
    await page.getByText('Listening.').waitFor();
    await gone.close();
    await page.getByText('The connection is lost.').waitFor();
    await button(page, /Stop$/).click();
    await button(page, 'Finish without the last words').click();
    await page.getByRole('heading', { name: /^Recording of / }).waitFor();
    await page.locator('audio').waitFor();
  });

  test('says why it cannot record', async () => {
    const { page } = await openFront(service().url, []);
    await button(page, /Microphone/).click();
    await page.getByText('Cannot use the microphone: it was not allowed').waitFor();
    await button(page, /Microphone/).waitFor();
  });

  test('has no microphone in a region without streams', async () => {
    const eu = await startTestService({ region: 'eu', open: true, dataDirectory: await copiedDatabase() });
    const { page } = await openFront(eu.url);
    await button(page, 'Choose a file').waitFor();
    expect(await button(page, /Microphone/).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Desk' }).count()).toBe(0);
  });
});

test('the curl program of the page transcribes a file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'front-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, 'talk.wav'), FILE.buffer);
  const program = codeSamples(closed().url).curl!.replace('…', TEST_TOKEN);
  const { stdout } = await promisify(execFile)('bash', ['-euc', program], { cwd: directory });
  expect(stdout).toContain('W4 w7. W9.');
});
