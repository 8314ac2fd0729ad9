// @module-tag tools
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import type { RoomFigures } from '../../../src/captions/control/operatorMessage.ts';
import { operatorRoutes } from '../../../src/captions/control/operatorRoutes.ts';
import { openTab, useChromium } from '../../helpers/chromium.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openPage, says } from '../outputs/page/pageClient.ts';
import { DeskControl } from './deskControl.ts';

const TOKEN = 'operator-token-0123456789';
/** Folder for pictures, to look at. */
const PICTURES = process.env.RXSCRIBE_PICTURES;

/** Script for the name of the focused element, with a word before it when its focus cannot be seen. */
const NAME_OF_FOCUSED = `(() => {
  const element = document.activeElement;
  if (element === document.body) return 'body';
  const mark = getComputedStyle(element).outlineStyle === 'solid' ? '' : 'hidden ';
  return mark + (element.textContent || element.ariaLabel || element.closest('label').textContent).trim();
})()`;

/** Script that counts the changes of the faults in `window.changes`. */
const COUNT_CHANGES = `(() => {
  window.changes = 0;
  const observer = new MutationObserver(changes => { window.changes += changes.length; });
  observer.observe(document.querySelector('.faults'), { characterData: true, childList: true, subtree: true });
})()`;

const browser = useChromium();

async function openDesk({ port = 0, control = new DeskControl() } = {}) {
  const { page: server, output } = await openPage({ port });
  const shown = new DeskControl(step => output.take(step));
  const used = port === 0 ? shown : control;
  server.route('/operator', operatorRoutes([{ name: '', control: used }], { token: TOKEN }));
  return { server, output, control: used };
}

async function openBrowser(url: string, viewport = { width: 1100, height: 900 }) {
  const tab = await openTab(browser(), { viewport });
  await tab.page.goto(url);
  return tab;
}

async function openOperator(viewport?: { width: number; height: number }) {
  const desk = await openDesk();
  const opened = await openBrowser(new URL(`operator#token=${TOKEN}`, desk.server.url).href, viewport);
  await opened.page.getByRole('button', { name: 'Kill' }).waitFor();
  return { ...desk, ...opened };
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

describe("an operator's page", () => {
  it('asks for the token once, and takes it out of the address', async () => {
    const { server } = await openDesk();
    const { page } = await openBrowser(new URL('operator', server.url).href);
    await page.getByLabel('Token').fill('wrong-token-0123456789');
    await page.keyboard.press('Enter');
    await page.getByText('The token is missing or wrong.').waitFor();
    await picture(page, 'token');
    await page.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByText('Captions are on').waitFor();
    await page.reload();
    await page.getByText('Captions are on').waitFor();
    const other = await openBrowser(new URL(`operator#token=${TOKEN}`, server.url).href);
    await other.page.getByText('Captions are on').waitFor();
    expect(other.page.url()).toBe(new URL('operator', server.url).href);
  });

  it('has everything removed within 200 ms of one key, also while somebody types', async () => {
    const { page, control, output, server, complaints } = await openOperator();
    const viewer = await openBrowser(server.url);
    output.take(says('Words that must go.'));
    await viewer.page.getByText('Words that must go.').waitFor();
    await page.getByRole('button', { name: 'Take over and type' }).click();
    await page.getByLabel('Text to show').pressSequentially('Escape does nothing');
    await page.keyboard.press('Escape');
    expect(control.commands.map(({ type }) => type)).toEqual(['take-over']);
    const pressedAt = Date.now();
    await page.keyboard.press('F9');
    await viewer.page.getByText('Words that must go.').waitFor({ state: 'detached' });
    const goneAt = Date.now();
    const { command, atMs } = control.performed.at(-1)!;
    expect(command).toEqual({ type: 'kill' });
    expect(atMs - pressedAt).toBeLessThan(200);
    expect(goneAt - pressedAt).toBeLessThan(400);
    await page.getByText('Captions are off').waitFor();
    await page.getByText('Kill: done at').waitFor();
    expect(await page.getByLabel('Text to show').inputValue()).toBe('Escape does nothing');
    await picture(page, 'off');
    await page.keyboard.press('Shift+F2');
    await page.getByText('Captions are on').waitFor();
    expect(complaints).toEqual([]);
  });

  it('says that the captions have ended, which is no lost connection, and shows them when they begin again', async () => {
    const { page, control, server } = await openOperator();
    control.state$.complete();
    await page.getByText('The captions have ended.').waitFor();
    await page.getByText('Captions were on').waitFor();
    const { port } = new URL(server.url);
    await server.close();
    await openDesk({ port: Number(port), control: new DeskControl() });
    await page.getByText('Captions are on').waitFor();
    expect(await page.getByText('The captions have ended.').count()).toBe(0);
  });

  it('shows what viewers see, from which words can be banned or replaced', async () => {
    const { page, control, output } = await openOperator();
    control.set({
      outputs: [
        {
          name: 'page',
          delaySeconds: 0,
          waitingWords: 0,
          shownText: 'Good evening.',
          wordDelay: { p50: 1.04, p95: 1.9 },
          shown: 3,
          skipped: 0,
          failures: 0,
        },
        {
          name: 'youtube',
          delaySeconds: 8,
          waitingWords: 12,
          shownText: '',
          shown: 3,
          skipped: 1,
          failures: 2,
          failure: 'no answer',
        },
      ],
    });
    output.take(says('Mr. Dashwood, a damn amiable man, had married.', ['well']));
    await page.getByRole('button', { name: 'damn' }).click();
    await page.keyboard.press('Enter');
    await expect.poll(() => control.commands).toEqual([{ type: 'ban', text: 'damn' }]);
    await page.getByRole('button', { name: 'Dashwood,' }).click();
    await page.getByLabel('Show instead').fill('Smith');
    await page.getByRole('button', { name: 'Replace' }).click();
    await expect
      .poll(() => control.commands.at(-1))
      .toEqual({ type: 'replace', text: 'Dashwood', by: 'Smith' });
    await page.getByText('Dashwood: becomes Smith').waitFor();
    await page.getByLabel('Word or phrase').fill('Willoughby');
    await page.getByRole('button', { name: 'Add to the vocabulary' }).click();
    await expect.poll(() => control.commands.at(-1)).toEqual({ type: 'vocabulary', text: 'Willoughby' });
    await page.getByText('Willoughby: expected').waitFor();
    await page.getByText('fails: no answer', { exact: true }).waitFor();
    await page.locator('.faults').getByText('youtube fails: no answer.').waitFor();
    await page.getByText('Words come after 1.0 s, 95 % within 1.9 s').waitFor();
    await page.getByText('youtube: 12 words').waitFor();
    await picture(page, 'desk');
  });

  it('shows how each source does, with the worst on top, and a fault where something is wrong', async () => {
    let hall: RoomFigures = { audioSeconds: 61, peakDb: -12, isConnected: true, messages: [] };
    const annex: RoomFigures = {
      audioSeconds: 3725,
      peakDb: -100,
      sinceWordSeconds: 12,
      isConnected: true,
      service: 'standby',
      microphone: { name: 'Webcam', isOther: true },
      problem: 'digital silence',
      messages: [{ atMs: Date.UTC(2026, 10, 26, 20, 14), text: 'The standby takes over.' }],
    };
    const [inHall, inAnnex] = [new DeskControl(), new DeskControl()];
    const { page: server } = await openPage();
    for (const name of ['hall', 'annex']) server.track(name);
    const rooms = [
      { name: 'hall', control: inHall, figures: () => hall },
      { name: 'annex', control: inAnnex, figures: () => annex },
    ];
    server.route('/operator', operatorRoutes(rooms, { token: TOKEN, viewers: () => 3 }));
    const { page, complaints } = await openBrowser(
      new URL(`operator?room=annex#token=${TOKEN}`, server.url).href,
    );
    const fault = page.locator('.faults');
    await fault.getByText('The audio is digital silence').waitFor();
    await fault.getByText('The sound comes from another microphone: Webcam.').waitFor();
    expect(await page.locator('.mode').getAttribute('data-mode')).toBe('fault');
    const sources = page.getByRole('navigation', { name: 'Sources' }).getByRole('link');
    expect(await sources.allTextContents()).toEqual(['annex', 'hall']);
    for (const text of ['01:02:05', '12 s ago', 'connected: the standby', '3 viewers'])
      await page.getByText(text, { exact: true }).waitFor();
    await page.getByText('The standby takes over.').waitFor();
    await page.getByRole('button', { name: 'Change to the first service' }).click();
    await eventually(() => expect(inAnnex.commands).toEqual([{ type: 'service', service: 'first' }]));
    await page.getByLabel('Sound at a fault').check();
    await picture(page, 'fault');
    const output = { name: 'page', delaySeconds: 2, waitingWords: 0, shownText: 'Good evening.' };
    const late = { ...output, wordDelay: { p50: 3, p95: 9 }, shown: 1, skipped: 0, failures: 0 };
    inHall.set({ outputs: [late] });
    await sources.getByText('hall').click();
    await fault.getByText('Words are more than 5 s late on page.').waitFor();
    await page.evaluate(COUNT_CHANGES);
    inHall.set({ outputs: [{ ...late, wordDelay: { p50: 3, p95: 9.9 } }] });
    await page.getByText('95 % within 9.9 s').waitFor();
    // A screen reader repeats the fault at each change.
    expect(await page.evaluate('window.changes')).toBe(0);
    await page.getByText('Good evening.').waitFor();
    await page.getByLabel('Warn when words are later').fill('8');
    // The next state does not take away what is being typed.
    inHall.set({ outputs: [{ ...late, wordDelay: { p50: 3, p95: 9.8 } }] });
    await page.getByText('95 % within 9.8 s').waitFor();
    await page.keyboard.press('Tab');
    await fault.getByText('late').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Captions are on, but no words come').waitFor();
    expect(await page.locator('.mode').getAttribute('data-mode')).toBe(null);
    hall = { ...hall, sinceWordSeconds: 14 };
    await page.getByText('Captions are on', { exact: true }).waitFor();
    expect(await page.locator('.mode').getAttribute('data-mode')).toBe('on');
    expect(await fault.textContent()).toBe('');
    await page.getByRole('button', { name: 'Kill hall' }).click();
    await page.getByText('Kill of hall: done').waitFor();
    expect([inHall, inAnnex].map(({ commands }) => commands.at(-1)?.type)).toEqual(['kill', 'service']);
    await page.keyboard.press('Shift+F9');
    await page.getByText('Kill of hall, annex: done').waitFor();
    expect(inAnnex.commands.at(-1)).toEqual({ type: 'kill' });
    expect(complaints).toEqual([]);
  });

  it('says that captions are as they were left before a restart', async () => {
    const { page, control } = await openOperator();
    control.set({ mode: 'off', leftAtMs: Date.UTC(2026, 10, 26, 20, 14) });
    await page.getByText(/^Captions are off, as they were left before a restart \(.*:14/).waitFor();
    await page.keyboard.press('Shift+F2');
    await page.getByText(/^Captions are on$/).waitFor();
  });

  it('shows typed phrases in their order: at the end of a sentence, of a row, and at Enter', async () => {
    const { page, control } = await openOperator();
    await page.getByRole('button', { name: 'Take over and type' }).click();
    const field = page.getByLabel('Text to show');
    await page.locator('input:enabled:focus').waitFor();
    await page.keyboard.type('Good dax');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('y. How are all of you in this long row of words today');
    await page.keyboard.press('Enter');
    const typed = () => control.commands.flatMap(command => (command.type === 'type' ? [command.text] : []));
    await expect.poll(typed).toEqual(['Good day.', 'How are all of you in this long row of', 'words today']);
    await page.getByRole('button', { name: 'Take back last phrase' }).click();
    const output = { delaySeconds: 0, waitingWords: 0, shownText: '', shown: 3, skipped: 0, failures: 0 };
    control.set({
      outputs: [
        { ...output, name: 'page' },
        { ...output, name: 'obs', keepsRetracted: true },
      ],
    });
    await page.getByText('What you took back remains where it was read: obs.').waitFor();
    await page.getByRole('button', { name: 'Hand back' }).click();
    await expect.poll(() => control.commands.slice(-2)).toEqual([{ type: 'retract' }, { type: 'hand-back' }]);
    await page.getByText('Hand back: done').waitFor();
    expect(await field.isDisabled()).toBe(true);
  });

  it('takes what is typed before the server has answered, and nothing presses the button again', async () => {
    const { page, control } = await openOperator();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const perform = control.perform.bind(control);
    control.perform = async command => {
      if (command.type === 'take-over') await answered;
      return perform(command);
    };
    await page.getByRole('button', { name: 'Take over and type' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.type('At once. And', { delay: 5 });
    answer();
    await expect
      .poll(() => control.commands)
      .toEqual([{ type: 'take-over' }, { type: 'type', text: 'At once.' }]);
    await page.keyboard.press('Shift+F8');
    await page.locator('input:enabled:focus').waitFor();
    await page.keyboard.press('F8');
    await page.getByText('Not sent: “And”.').waitFor();
    await page.keyboard.press('F8');
    await page.keyboard.type(' more');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => control.commands.slice(2))
      .toEqual([
        { type: 'retract' },
        { type: 'hand-back' },
        { type: 'take-over' },
        { type: 'type', text: 'And more' },
      ]);
  });

  it('removes a rule of an operator, and none of the options', async () => {
    const { page, control } = await openOperator();
    control.set({ banned: ['heck'] });
    await page.getByLabel('Word or phrase').fill('damn');
    await page.getByRole('button', { name: 'Ban' }).click();
    await page.getByText('damn: not shown').waitFor();
    control.set({ addedRules: { ban: ['damn'] } });
    await page.getByRole('button', { name: 'Remove: damn, not shown' }).press('Enter');
    await expect.poll(() => control.commands.at(-1)).toEqual({ type: 'undo', rule: 'ban', text: 'damn' });
    await page.getByText('heck: not shown').waitFor();
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  });

  it('changes the language', async () => {
    const { page, control } = await openOperator();
    await page.getByLabel('Now English (en)').fill('de');
    await page.keyboard.press('Enter');
    await page.getByText('Now German (de)').waitFor();
    expect(control.commands).toEqual([{ type: 'language', language: 'de' }]);
  });

  it('says that the connection is lost, takes nothing for performed, and kills as soon as it can', async () => {
    const { page, server } = await openOperator();
    const { port } = new URL(server.url);
    await server.close();
    await page.getByText('There is no connection').waitFor();
    await page.getByText('Captions were on').waitFor();
    await page.keyboard.press('F2');
    await page.getByText('Pause: not confirmed. No answer came').waitFor();
    await picture(page, 'lost');
    await page.keyboard.press('F9');
    await page.getByText('Kill: waiting for the server').waitFor();
    const control = new DeskControl();
    await openDesk({ port: Number(port), control });
    await page.getByText('Kill: done at').waitFor();
    expect(control.commands).toEqual([{ type: 'kill' }]);
    await page.getByText('Captions are off').waitFor();
  });

  it('shows why a command was refused', async () => {
    const { page, control } = await openOperator();
    await page.getByRole('button', { name: 'Take over and type' }).click();
    await page.getByLabel('Text to show').waitFor();
    await page.getByText('Take over: done').waitFor();
    control.perform = async () => {
      throw new InvalidArgumentError('Recognised text is shown. Take over first.');
    };
    await page.getByRole('button', { name: 'Take back last phrase' }).click();
    await page.getByText('Take back: refused. Recognised text is shown. Take over first.').waitFor();
  });

  it('can be used by keyboard alone, on a page of 360 pixels', async () => {
    const { page, control, output } = await openOperator({ width: 360, height: 740 });
    output.take(says('Good day, everybody, this is a line of words.'));
    await page.getByRole('button', { name: 'words.' }).waitFor();
    const names = async () => {
      const found: string[] = [];
      for (let index = 0; index < 20; index++) {
        await page.keyboard.press('Tab');
        const name = await page.evaluate(NAME_OF_FOCUSED);
        if (name !== 'body') found.push(String(name));
      }
      return found;
    };
    const visited = await names();
    expect(visited.filter(name => name.startsWith('hidden'))).toEqual([]);
    expect(visited.join('|')).toMatch(
      /Pause F2\|Drop waiting words.*\|Kill.*\|words\.\|Take over and type F8\|Word or phrase\|Show instead\|Ban\|/,
    );
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(360);
    await page.getByRole('button', { name: 'words.' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.locator('#ban:focus').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => control.commands).toEqual([{ type: 'ban', text: 'of' }]);
    await picture(page, 'narrow');
  });
});
