import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../src/replay/proxy/startProxy.ts';
import { madeCassette } from '../helpers/madeCassette.ts';
import { openListeners } from '../helpers/openListeners.ts';
import { playedServer } from '../helpers/playedServer.ts';
import { closeOf, handshake, rawRequest } from '../helpers/rawConnection.ts';
import { sendRawRequests } from '../helpers/rawRequests.ts';
import { startTestService, TEST_TOKEN } from '../helpers/testService.ts';

const STREAM = `/speechtotext/v1/stream?access_token=${TEST_TOKEN}&content_type=audio/x-wav`;

const SERVERS = {
  async service() {
    return startTestService();
  },
  async play() {
    return playedServer(madeCassette({ seconds: 1 }));
  },
  async proxy() {
    const service = await startTestService();
    const proxy = await startProxy({ url: service.url });
    onTestFinished(() => proxy.close());
    return proxy;
  },
};

test.each(Object.entries(SERVERS))(
  '%s accepts no handshake before it has answered the request before it',
  async (_, start) => {
    const { port } = new URL((await start()).url);
    for (const path of [STREAM, '/nowhere']) {
      const socket = connect(Number(port), '127.0.0.1');
      let answer = '';
      socket
        .on('error', () => {})
        .on('data', data => {
          answer += data;
        });
      socket.write(`GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n${handshake(path).join('\r\n')}\r\n\r\n`);
      socket.end();
      await closeOf(socket);
      expect(answer).not.toMatch(/^HTTP\/1\.1 101/m);
    }
    expect(await rawRequest({ port: Number(port) }, ...handshake('/nowhere'))).toMatch(/^HTTP\/1\.1 404/);
  },
);

test('a proxy refuses a handshake whose target has a fragment', async () => {
  const { port } = new URL((await SERVERS.proxy()).url);
  for (let times = 0; times < 2; times++) {
    expect(await rawRequest({ port: Number(port) }, ...handshake(`${STREAM}#x`))).toMatch(/^HTTP\/1\.1 400/);
  }
});

test('every listener of the commands outlives malformed, cut and pipelined requests', {
  tags: 'slow',
}, async () => {
  await using listening = await openListeners({ balancer: false });
  for (const { address, check } of listening.all) {
    await sendRawRequests(address, { count: 1000 });
    await check();
  }
});
