// @module-tag tools

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { PAGE_DEFAULTS } from '../../../../src/captions/outputs/page/captionPage.ts';
import { openTab, useChromium } from '../../../helpers/chromium.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { openPage, says, watch } from './pageClient.ts';

const browser = useChromium();

/** As many as the page has places. */
const DEAD = PAGE_DEFAULTS.maxViewers;
const LATE = 30;

describe(`a page with ${DEAD} connections of one address that are never read`, () => {
  const sockets = new Set<Socket>();
  beforeEach(() => () => {
    for (const socket of sockets) socket.destroy();
  });

  async function openDead(url: string): Promise<void> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    // The beginning of the answer has come, and stays where it is.
    await once(socket, 'readable');
  }

  test('shows captions within 2 s to each further viewer of the address, and ends none that reads', async () => {
    const { page, output } = await openPage();
    const { page: reader } = await openTab(browser());
    let connections = 0;
    const answered = reader.waitForResponse(/\/events\/\w+$/);
    reader.on('request', request => {
      if (new URL(request.url()).pathname === '/events') connections++;
    });
    await reader.goto(page.url);
    await answered;
    await Promise.all(Array.from({ length: DEAD - 1 }, () => openDead(page.url)));
    expect(page.viewers).toBe(DEAD);
    output.take(says('Good morning.'));
    const waits: number[] = [];
    for (let late = 0; late < LATE; late++) {
      const startedAt = performance.now();
      const viewer = await watch(page.url);
      await eventually(() => expect(viewer.text.paragraphs).toHaveLength(1));
      waits.push(performance.now() - startedAt);
    }
    console.info(`late viewers: ${waits.map(Math.round).join(' ')} ms`);
    expect(Math.min(...waits)).toBeLessThan(2000);
    const { page: second } = await openTab(browser());
    await second.goto(page.url);
    await second.getByText('Good morning.').waitFor();
    // They take the places of the dead ones before them, some at once.
    await Promise.allSettled(Array.from({ length: DEAD }, () => openDead(page.url)));
    output.take(says('Still here.'));
    for (const tab of [reader, second]) await tab.getByText('Good morning. Still here.').waitFor();
    expect([page.viewers, connections]).toEqual([DEAD, 1]);
  });
});
