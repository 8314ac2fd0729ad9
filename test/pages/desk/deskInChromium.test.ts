import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { useChromium } from '../../helpers/chromium.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import {
  addPerson,
  DESK_ADMIN_TOKEN,
  deskAdministration,
  logIn,
  waitingHumanJob,
} from '../../helpers/deskClient.ts';
import {
  editorOf,
  linesOf,
  type PersonAtPage,
  personAtPage,
  tabTo,
  untilSaved,
} from '../../helpers/deskPage.ts';
import { endOf, keptService, speechFile } from '../../helpers/keptService.ts';
import { createScriptedAligner } from '../../helpers/scriptedAligner.ts';
import { startServiceProcess } from '../../helpers/serviceProcess.ts';
import { request, TEST_TOKEN } from '../../helpers/testService.ts';

const service = keptService({
  adminToken: DESK_ADMIN_TOKEN,
  aligner: createScriptedAligner(),
  allowPrivateAddresses: true,
});

const browser = useChromium();
beforeAll(async () => {
  for (const name of ['ann', 'bob']) await addPerson(service(), name);
  await addPerson(service(), 'chief', 'admin');
});

/** Empties the queue, so that a test that has failed leaves nothing to its next attempt and to other tests. */
afterEach(async () => {
  const waiting = (await deskAdministration(service(), 'GET', '/human-jobs?limit=1000')).json();
  const chief = await logIn(service(), 'chief');
  for (const { id } of waiting) {
    await chief.call('POST', `/jobs/${id}/release`);
    const { status } = await deskAdministration(service(), 'POST', `/human-jobs/${id}/finish`, 'Done.');
    expect(status).toBeLessThan(300);
  }
});

/** Two minutes of speech: a word each 0.3 s, and a sentence every 3 s. */
const SPEECH = speechFile(
  Array.from({ length: 1200 }, (_, index) => (index % 30 < 24 && index % 3 === 0 ? 1 + (index % 20) : 0)),
);
const PATH = '/speechtotext/v1/jobs';

/** Claims a job in the queue by keys alone, and waits for its text. */
async function claimByKeys({ page }: PersonAtPage): Promise<void> {
  await tabTo(page, /^(Claim|Continue) speech/);
  await page.keyboard.press('Enter');
  await editorOf(page).waitFor();
}

const textOf = async (page: Page) => (await linesOf(page)).join('\n');

describe('the desk in Chromium', { tags: 'tools', timeout: 180_000 }, () => {
  test('takes a job from its submission to its transcript by keys alone, through a crash', async () => {
    const notified = Promise.withResolvers<{
      readonly job: { readonly id: string; readonly status: string };
    }>();
    const receiver = createServer(async (incoming, response) => {
      let body = '';
      for await (const piece of incoming) body += piece;
      response.end();
      notified.resolve(JSON.parse(body));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void receiver.close());
    await new Promise(resolve => receiver.once('listening', resolve));
    const { port } = receiver.address() as AddressInfo;
    const id = await waitingHumanJob(
      service(),
      {
        rush: true,
        segments_to_transcribe: [{ start: '30', end: '95' }],
        custom_vocabularies: [{ phrases: ['Ada Lovelace', 'analytical engine'] }],
        speaker_names: [{ display_name: 'Ada' }, { display_name: 'Charles' }],
        notification_config: { url: `http://127.0.0.1:${port}/` },
      },
      SPEECH,
    );
    const ann = await personAtPage(browser(), service(), 'ann');
    await claimByKeys(ann);
    expect(await textOf(ann.page)).toMatch(/^W\d+ w\d+/i);
    await ann.page.getByText('Ada', { exact: true }).first().waitFor();

    await ann.page.keyboard.press('Alt+T');
    await ann.page.keyboard.press('Control+Home');
    await ann.page.keyboard.type('Typed at first. ');
    await untilSaved(ann.page);
    // A page that has crashed cannot be set online again.
    let isCut = true;
    await ann.context.route('**/desk/api/**', route => (isCut ? route.abort() : route.continue()));
    await ann.page.keyboard.type('Typed without a network. ');
    await ann.page.getByText('Go on typing').waitFor();
    // Longer than the delay after which text is stored in the browser.
    await ann.page.waitForTimeout(500);
    const crashed = ann.page.waitForEvent('crash');
    await ann.page.goto('chrome://crash').catch(() => {});
    await crashed;
    isCut = false;

    const page = await ann.newTab();
    await page.goto(`${service().url}/desk/#/jobs/${id}`);
    await editorOf(page).waitFor();
    await expect.poll(() => textOf(page)).toContain('Typed at first. Typed without a network. ');
    await untilSaved(page);
    await page.keyboard.press('Alt+T');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Alt+2');
    await page.keyboard.press('Alt+S');
    await page.locator('[name=speaker]:focus').waitFor();
    await page.keyboard.type('Charles');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Alt+Shift+1');
    await page.keyboard.press('F4');
    await page.keyboard.press('Control+Shift+Enter');
    const finish = page.getByRole('dialog').getByRole('button', { name: 'Finish' });
    await finish.waitFor();
    // The audio goes on behind the dialog, and its clock with it.
    const shown = () => page.locator('.clock').first().innerText();
    const before = await shown();
    await expect.poll(shown).not.toBe(before);
    await tabTo(page, /^Finish$/);
    await page.keyboard.press('Enter');
    await page.getByText('is finished').waitFor();

    expect(await endOf(service(), `${PATH}/${id}`)).toMatchObject({
      status: 'transcribed',
      type: 'human_tc',
    });
    const fetched = (accept: string) =>
      request(service(), `${PATH}/${id}/transcript`, { headers: { accept } });
    const plain = (await fetched('text/plain')).text;
    expect(plain).toContain('Ada Lovelace');
    expect(plain).toContain('Typed at first. Typed without a network.');
    const { monologues } = (await fetched('application/vnd.svc.transcript.v1.0+json')).json();
    const words = monologues
      .flatMap((turn: { elements: object[] }) => turn.elements)
      .filter(({ type }: { type: string }) => type === 'text');
    expect(words.length).toBeGreaterThan(100);
    const names = monologues.map(
      ({ speaker_info }: { speaker_info?: { display_name: string } }) => speaker_info?.display_name,
    );
    expect(names).toEqual(['Charles', undefined]);
    let reached = 30;
    for (const { ts, end_ts } of words) {
      expect(ts).toBeGreaterThanOrEqual(reached);
      expect(end_ts).toBeGreaterThanOrEqual(ts);
      expect(end_ts).toBeLessThanOrEqual(95);
      reached = ts;
    }
    expect((await notified.promise).job).toMatchObject({ id, status: 'transcribed' });
    expect(ann.complaints).toEqual([]);
  });

  test('lets one person work at a job, and keeps the text of one who has lost it', async () => {
    const id = await waitingHumanJob(service(), {}, SPEECH);
    const ann = await personAtPage(browser(), service(), 'ann');
    await claimByKeys(ann);
    await ann.page.keyboard.press('Alt+T');
    await ann.page.keyboard.press('Control+Home');
    await ann.page.keyboard.type('By Ann. ');
    await untilSaved(ann.page);

    const bob = await personAtPage(browser(), service(), 'bob');
    await bob.page.getByText('With ann').waitFor();
    expect(await bob.page.getByRole('button', { name: /^Claim speech/ }).count()).toBe(0);
    await bob.page.goto(`${service().url}/desk/#/jobs/${id}`);
    await bob.page
      .getByText(/another person|claimed/i)
      .first()
      .waitFor();
    expect(await bob.page.getByText('By Ann.').count()).toBe(0);

    // The claim lapses, and another person takes the job, while this one types without a network.
    await ann.context.setOffline(true);
    await ann.page.keyboard.type('Unsent. ');
    const chief = await logIn(service(), 'chief');
    expect((await chief.call('POST', `/jobs/${id}/release`)).status).toBe(204);
    const other = await logIn(service(), 'bob');
    expect((await other.call('POST', `/jobs/${id}/claim`)).status).toBe(200);
    await ann.context.setOffline(false);
    await ann.page.getByText('Another person has claimed this job').waitFor();
    expect(await textOf(ann.page)).toContain('By Ann. Unsent. ');
    await editorOf(ann.page).click();
    await ann.page.keyboard.type('Too late.');
    expect(await textOf(ann.page)).not.toContain('Too late.');
    const draft = (await other.call('GET', `/jobs/${id}/draft`)).json();
    expect(draft.turns[0].text).toContain('By Ann.');
    expect(draft.turns[0].text).not.toContain('Unsent');

    await other.call('POST', `/jobs/${id}/release`);
    await ann.page.getByRole('button', { name: 'Claim again' }).click();
    await untilSaved(ann.page);
    const again = (await logIn(service(), 'ann')).call('GET', `/jobs/${id}/draft`);
    expect((await again).json().turns[0].text).toContain('By Ann. Unsent.');
    await chief.call('POST', `/jobs/${id}/release`);
    expect([...ann.complaints, ...bob.complaints]).toEqual([]);
  });

  test('goes on when the service was killed, and nothing typed is lost', async () => {
    const options = {
      dataDirectory: await dataDirectory(),
      adminToken: DESK_ADMIN_TOKEN,
      token: TEST_TOKEN,
      logLevel: 'silent',
    } as const;
    const first = await startServiceProcess(options);
    const id = await waitingHumanJob(first, {}, SPEECH);
    await addPerson(first, 'cy');
    const cy = await personAtPage(browser(), first, 'cy');
    await claimByKeys(cy);
    await cy.page.keyboard.press('Alt+T');
    await cy.page.keyboard.press('Control+Home');
    await cy.page.keyboard.type('Before. ');
    await untilSaved(cy.page);
    await cy.page.keyboard.type('During. ');
    await first.end('SIGKILL');
    await cy.page.keyboard.type('After. ');
    await cy.page.getByText('Go on typing').waitFor();
    const second = await startServiceProcess({ ...options, port: Number(new URL(first.url).port) });
    await untilSaved(cy.page);
    const again = await logIn(second, 'cy');
    const { turns } = (await again.call('GET', `/jobs/${id}/draft`)).json();
    expect(turns[0].text).toMatch(/^Before\. During\. After\. W\d/);
    expect(cy.complaints).toEqual([]);
  });

  test('gives the reason when it refuses pasted text', async () => {
    await waitingHumanJob(service(), { rush: true }, SPEECH);
    const bob = await personAtPage(browser(), service(), 'bob');
    await bob.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await claimByKeys(bob);
    const before = await textOf(bob.page);
    await bob.page.evaluate("navigator.clipboard.writeText('x\\n'.repeat(50000) + 'x')");
    await bob.page.keyboard.press('Alt+T');
    await bob.page.keyboard.press('Control+a');
    await bob.page.keyboard.press('Control+v');
    const notice = bob.page.getByRole('status').getByText('Not taken: a text may have 50,000 lines');
    await notice.waitFor();
    expect(await notice.innerText()).toContain('this one would have 50,001.');
    expect(await textOf(bob.page)).toBe(before);
    await bob.page.evaluate("navigator.clipboard.writeText('x'.repeat(50))");
    await bob.page.keyboard.press('Control+v');
    expect(await textOf(bob.page)).toBe('x'.repeat(50));
    expect(bob.complaints).toEqual([]);
  });

  test('runs no script in texts of customers and transcribers', async () => {
    const hostile = `<img src=x onerror="window.hacked=1"> <script>window.hacked=1</script>`;
    const id = await waitingHumanJob(
      service(),
      {
        rush: true,
        custom_vocabularies: [{ phrases: ['a <b onclick=hacked> name', '"><svg onload=hacked=1>'] }],
        speaker_names: [{ display_name: hostile }],
        metadata: hostile,
      },
      SPEECH,
    );
    const person = await logIn(service(), 'bob');
    await person.call('POST', `/jobs/${id}/claim`);
    await person.call('GET', `/jobs/${id}/draft`);
    const turns = [{ speaker: 0, text: `${hostile} javascript:hacked=1 \u202Eabc`, words: [] }];
    const change = { revision: 0, from: 0, to: 0, turns };
    expect((await person.call('PATCH', `/jobs/${id}/draft`, change)).status).toBe(200);
    const bob = await personAtPage(browser(), service(), 'bob');
    await bob.page.goto(`${service().url}/desk/#/jobs/${id}`);
    await expect.poll(() => textOf(bob.page)).toContain('<script>');
    await bob.page.getByText('a <b onclick=hacked> name').waitFor();
    // What has no look of its own is shown.
    expect(await bob.page.locator('.cm-specialChar').getAttribute('title')).toContain(
      'right-to-left override',
    );
    expect(await bob.page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    expect(await bob.page.locator('img:not(.cm-widgetBuffer), svg[onload], b[onclick]').count()).toBe(0);
    expect(bob.complaints).toEqual([]);
    await person.call('POST', `/jobs/${id}/release`);
  });
});
