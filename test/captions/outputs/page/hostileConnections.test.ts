// @module-tag slow

import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../helpers/eventually.ts';
import { rawConnection } from '../../../helpers/rawConnection.ts';
import { hasLoopbackNetwork, openPage, says, usePageProcess, watchBarely } from './pageClient.ts';

const ADDRESSES = Array.from({ length: 10 }, (_, index) => `127.0.0.${index + 2}`);
const HOSTILE = 5000;
/** Requests without an end, and one for captions that are never read. */
const HALF_REQUEST = 'GET / HTTP/1.1\r\nHost: local';
const REQUEST = 'GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n';

const server = usePageProcess();

describe.runIf(hasLoopbackNetwork)(`a page with ${HOSTILE} hostile connections of ten addresses`, () => {
  const sockets = new Set<Socket>();
  let isOver = false;
  let refused = 0;
  beforeEach(() => () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  });

  /** Connects, sends something, reads nothing, and begins anew when it is disconnected. */
  function attack(index: number): void {
    if (isOver) return;
    const localAddress = ADDRESSES[index % ADDRESSES.length]!;
    const socket = connect({ port: Number(new URL(server().url).port), host: '127.0.0.1', localAddress });
    sockets.add(socket);
    // A connection that is not read never learns that it has ended.
    socket.on('connect', () => socket.write(index % 3 === 0 ? HALF_REQUEST : REQUEST));
    socket.on('error', () => {});
    socket.on('data', () => socket.pause());
    socket.on('close', () => {
      refused++;
      sockets.delete(socket);
      setTimeout(() => attack(index), 1000);
    });
  }

  test('serves a viewer of another address, who sees captions in time and stays', {
    timeout: 400_000,
  }, async () => {
    for (let index = 0; index < HOSTILE; index++) {
      attack(index);
      if (index % 100 === 99) await setImmediate();
    }
    await eventually(() => expect(refused).toBeGreaterThan(1000));
    const startedAt = performance.now();
    const { url } = server();
    const viewer = await watchBarely({ url, localAddress: '127.0.0.99' });
    expect(viewer.status).toBe(200);
    await eventually(() => expect(viewer.received()).toContain('event: change'));
    console.info(`a viewer sees captions after ${Math.round(performance.now() - startedAt)} ms`);
    const before = viewer.received().length;
    await eventually(() => expect(viewer.received().length).toBeGreaterThan(before + 10_000));
    for (const path of ['', 'events']) {
      expect((await watchBarely({ url, path, localAddress: '127.0.0.99' })).status).toBe(200);
    }
  });
});

describe('a page', () => {
  test('disconnects a viewer and a loader of files that take nothing for some seconds', async () => {
    const { page, output } = await openPage();
    const port = Number(new URL(page.url).port);
    const viewer = await rawConnection({ port });
    viewer.write(REQUEST);
    await eventually(() => expect(page.viewers).toBe(1));
    viewer.pause();
    const lost = new Promise(resolve =>
      page.route('/large', (_, response) => {
        response.on('close', resolve);
        response.end(Buffer.alloc(50_000_000));
      }),
    );
    const loader = await rawConnection({ port });
    loader.pause().write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    output.take(says('x'.repeat(50_000_000)));
    const startedAt = performance.now();
    await eventually(() => expect(page.viewers).toBe(0));
    expect(performance.now() - startedAt).toBeLessThan(55_000);
    expect(output.report().failures).toBe(1);
    await lost;
  });
});
