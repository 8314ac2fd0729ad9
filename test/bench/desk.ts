import { openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import type { Service } from '../../src/service/app.ts';
import { startChromium } from '../helpers/chromium.ts';
import { startLimitedService } from '../helpers/limitedService.ts';
import { quantile } from '../helpers/quantile.ts';
import { scriptedSpeech } from '../helpers/scriptedRecognizer.ts';
import { scriptedServiceOptions } from '../helpers/testService.ts';
import { formatBody, riffChunk } from '../helpers/wavBytes.ts';

const HOURS = 3;
/** A sentence of eight words in 3.2 seconds, and a pause: 27,000 words in three hours. */
const SENTENCE = Array.from({ length: 32 }, (_, at) => (at < 24 && at % 3 === 0 ? 1 + at / 3 : 0));
const OPENINGS = 5;
/** Keystrokes that are timed, and those of an hour of typing at 60 words a minute. */
const TIMED_KEYS = 400;
const HOUR_KEYS = 18_000;
const PASSWORD = 'correct horse battery';
const TOKEN = 'token-of-the-bench-of-the-desk';
const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';

/**
 * Measures the page of the desk in Chromium with a transcript of three hours: the time until its text and waveform are there,
 * the time from a keystroke to the next frame, and the memory of the tab over an hour of typing. The floor of a keystroke is
 * an empty text field in the same browser.
 */
export async function run(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-bench-'));
  const service = await startLimitedService({
    ...scriptedServiceOptions(),
    dataDirectory: join(directory, 'data'),
    token: TOKEN,
    adminToken: ADMIN_TOKEN,
  });
  const browser = await startChromium();
  try {
    await service.ready;
    const id = await submitRecording(service, directory);
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    await logIn(service, page);
    await page.getByRole('button', { name: /^Claim/ }).click();
    const rows: Record<string, object> = {};
    const ready = await timesUntilReady(service, page, id);
    rows['page ready (ms)'] = quantiles(ready);
    const session = await page.context().newCDPSession(page);
    await page.keyboard.press('Alt+T');
    for (let turn = 0; turn < 40; turn++) await page.keyboard.press('PageDown');
    const keys = await timedKeys(page);
    const field = await page.context().newPage();
    await field.goto(`${service.url}/docs`);
    await field.evaluate('document.body.replaceChildren(document.createElement("textarea"))');
    await field.locator('textarea').focus();
    const floor = await timedKeys(field);
    await field.close();
    rows['keystroke to frame (ms)'] = quantiles(keys);
    rows['of an empty field (ms)'] = quantiles(floor);
    console.table(rows);
    await memoryOfAnHour(page, session);
  } finally {
    await browser.close();
    await service.close();
    await rm(directory, { recursive: true });
  }
}

const quantiles = (values: readonly number[]) => ({
  p50: Math.round(quantile(values, 0.5)),
  p95: Math.round(quantile(values, 0.95)),
});

/** Submits a recording of three hours, and returns the id of its job when the machine has done its part. */
async function submitRecording(service: Service, directory: string): Promise<string> {
  const path = join(directory, 'long.wav');
  const sentence = new Uint8Array(scriptedSpeech(SENTENCE).buffer);
  const sentences = Math.round((HOURS * 3600) / (SENTENCE.length / 10));
  await using file = await open(path, 'w');
  const size = sentence.length * sentences;
  const head = Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'),
    riffChunk('fmt ', formatBody()),
    Buffer.from('data\0\0\0\0', 'latin1'),
  ]);
  head.writeUInt32LE(size + head.length - 8, 4);
  head.writeUInt32LE(size, head.length - 4);
  await file.write(head);
  const block = Buffer.concat(Array<Uint8Array>(100).fill(sentence));
  for (let at = 0; at < size; at += block.length) await file.write(block.subarray(0, size - at));
  const form = new FormData();
  form.append('media', await openAsBlob(path), 'long.wav');
  form.append('options', JSON.stringify({ transcriber: 'human', skip_diarization: true }));
  const answer = await fetch(`${service.url}/speechtotext/v1/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: form,
  });
  const { id } = (await answer.json()) as { id: string };
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
  for (;;) {
    const waiting = await fetch(`${service.url}/admin/v1/human-jobs`, { headers: admin });
    if (((await waiting.json()) as unknown[]).length > 0) return id;
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
}

async function logIn(service: Service, page: Page): Promise<void> {
  await fetch(`${service.url}/admin/v1/desk/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ann', role: 'transcriber', password: PASSWORD }),
  });
  await page.goto(`${service.url}/desk/`);
  await page.getByLabel('Name').fill('ann');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
}

/** Loads the page of the job anew several times, until its text, the waveform and the length of the audio are there. */
async function timesUntilReady(service: Service, page: Page, id: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let opening = 0; opening < OPENINGS; opening++) {
    await page.goto('about:blank');
    const beganMs = performance.now();
    await page.goto(`${service.url}/desk/#/jobs/${id}`);
    await page.locator('.cm-line').first().waitFor();
    await page.locator('.player canvas').first().waitFor();
    times.push(performance.now() - beganMs);
  }
  return times;
}

/** Returns the milliseconds from keystrokes to the frames that show them, as the browser measures them. */
async function timedKeys(page: Page): Promise<readonly number[]> {
  // The browser reports events of 16 ms and more; the others count as that.
  await page.evaluate(`
    globalThis.slow = [];
    new PerformanceObserver(list => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') slow.push(duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  `);
  const letters = 'the quick brown fox jumps over the lazy dog ';
  for (let key = 0; key < TIMED_KEYS; key++) {
    await page.keyboard.press(
      letters[key % letters.length] === ' ' ? 'Space' : letters[key % letters.length]!,
    );
    await page.waitForTimeout(20);
  }
  await page.waitForTimeout(200);
  const slow = (await page.evaluate('slow')) as readonly number[];
  return [...Array<number>(Math.max(0, TIMED_KEYS - slow.length)).fill(16), ...slow];
}

async function memoryOfAnHour(page: Page, session: CDPSession): Promise<void> {
  const sentence = 'and so it went on for the rest of the day. ';
  const rows: Record<string, object> = {};
  for (let typed = 0; ; typed += HOUR_KEYS / 6) {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
    const nodes = (await page.evaluate('document.querySelectorAll("*").length')) as number;
    rows[`${typed} keystrokes`] = { 'heap (MB)': Math.round(usedSize / 1e5) / 10, elements: nodes };
    if (typed >= HOUR_KEYS) break;
    for (let key = 0; key < HOUR_KEYS / 6; key += sentence.length) {
      await page.keyboard.type(sentence);
      await page.keyboard.press('ArrowDown');
    }
  }
  console.table(rows);
}
