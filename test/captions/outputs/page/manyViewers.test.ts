// @module-tag slow

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../../../helpers/eventually.ts';
import { canReadMemory, growthDuring } from '../../../helpers/processMemory.ts';
import { usePageProcess, watch } from './pageClient.ts';

const VIEWERS = 1000;
/** Viewers among them whose connection takes nothing. */
const STUCK = 50;
const SECONDS = 20;

const server = usePageProcess();

interface BareViewer {
  readonly socket: Socket;
  /** The end of what was received. */
  end: string;
  updates: number;
}

async function join(): Promise<BareViewer> {
  const socket = connect(Number(new URL(server().url).port), '127.0.0.1');
  const viewer: BareViewer = { socket, end: '', updates: 0 };
  socket.on('data', data => {
    viewer.end = (viewer.end + data.toString('latin1')).slice(-400);
    viewer.updates++;
  });
  await once(socket, 'connect');
  socket.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return viewer;
}

test.runIf(canReadMemory)(
  `a page of ${VIEWERS} viewers needs no more memory with time, and a late one has all text within a second`,
  async () => {
    const startedAt = performance.now();
    const viewers = await Promise.all(Array.from({ length: VIEWERS }, join));
    await eventually(() =>
      expect(viewers.filter(({ end }) => end.includes('event: change')).length).toBe(VIEWERS),
    );
    console.info(`${VIEWERS} viewers joined within ${Math.round(performance.now() - startedAt)} ms`);
    for (const { socket } of viewers.slice(0, STUCK)) socket.pause();
    // The heap has reached its size when all have been served for a while.
    await setTimeout(5000);
    const before = viewers.slice(STUCK).map(({ updates }) => updates);
    const growth = await growthDuring(server().pid, () => setTimeout(SECONDS * 1000));
    const updates = viewers.slice(STUCK).map((viewer, index) => viewer.updates - before[index]!);
    const joins: number[] = [];
    for (let late = 0; late < 3; late++) {
      const joinedAt = performance.now();
      const viewer = await watch(server().url);
      await eventually(() => expect(viewer.text.paragraphs.length).toBeGreaterThan(70));
      joins.push(performance.now() - joinedAt);
      await viewer.close();
    }
    console.info(`growth ${growth.toFixed(1)} MiB in ${SECONDS} s; late viewers ${joins.map(Math.round)} ms`);
    for (const { socket } of viewers) socket.destroy();
    expect(Math.min(...updates)).toBeGreaterThan(SECONDS * 2);
    expect(growth).toBeLessThan(30);
    expect(Math.min(...joins)).toBeLessThan(1000);
  },
);
