import { describe, expect, onTestFinished, test } from 'vitest';
import { openCaptionPage } from '../../src/captions/outputs/page/captionPage.ts';
import { startReceiver } from '../../src/cli/service/webhookReceiver.ts';
import { createNotificationReceiver } from '../../src/client/jobs/notificationReceiver.ts';
import { brandNames, DEFAULT_BRAND } from '../../src/protocol/interfaceNames.ts';
import { SharedPlaces } from '../../src/web/serverLimits.ts';
import { madeCassette } from '../helpers/madeCassette.ts';
import { playedServer } from '../helpers/playedServer.ts';
import { closeOf, rawConnection } from '../helpers/rawConnection.ts';
import { startTestService } from '../helpers/testService.ts';

describe('places that networks share', () => {
  const evicted: string[] = [];
  const take = (places: SharedPlaces<string>, holders: Readonly<Record<string, string>>) =>
    Object.entries(holders).map(([holder, address]) => places.take(address, holder));

  test('belong to one network alone while some are free', () => {
    const places = new SharedPlaces<string>(3, holder => evicted.push(holder));
    expect(take(places, { a: '192.0.2.1', b: '192.0.2.1', c: '192.0.2.1' })).not.toContain(undefined);
    expect([places.count, places.isFull, evicted]).toEqual([3, true, []]);
    expect(places.take('192.0.2.1', 'd')).toBeUndefined();
  });

  test('go to a newcomer of another network, the latest holder first', () => {
    evicted.length = 0;
    const places = new SharedPlaces<string>(4, holder => evicted.push(holder));
    const address = '2001:db8::';
    take(places, { a: `${address}1`, b: `${address}2`, c: `${address}3`, d: `${address}4` });
    const [leave, second, third] = take(places, { e: '192.0.2.2', f: '192.0.2.2', g: `${address}5` });
    expect([evicted, places.count, second, third]).toEqual([['d'], 4, undefined, undefined]);
    leave!();
    leave!();
    expect(places.count).toBe(3);
  });

  test('stay with a hall of one network, but for a hundredth for each other network', () => {
    evicted.length = 0;
    const places = new SharedPlaces<string>(200, holder => evicted.push(holder));
    for (let viewer = 0; viewer < 200; viewer++) places.take('192.0.2.1', `viewer ${viewer}`);
    for (let other = 0; other < 1000; other++) places.take(`198.51.100.${other % 10}`, `other ${other}`);
    expect([evicted.length, evicted.filter(holder => holder.startsWith('other'))]).toEqual([20, []]);
    expect(places.take('203.0.113.1', 'late')).toBeDefined();
  });
});

const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port);

/** Servers of the project, each started with its defaults; resolve with their ports. */
const SERVERS: Readonly<Record<string, () => Promise<number>>> = {
  'caption page': async () => {
    const page = await openCaptionPage({ port: 0 });
    onTestFinished(() => page.close());
    return portOf(page);
  },
  'service that plays a cassette': async () => portOf(await playedServer(madeCassette({ seconds: 1 }))),
  'receiver of notifications': async () => {
    const receiver = await createNotificationReceiver();
    onTestFinished(() => receiver.close());
    return portOf(receiver);
  },
  'listener for webhooks': async () => {
    const none = () => {};
    const names = brandNames(DEFAULT_BRAND);
    const options = { host: '127.0.0.1', port: 0, names, onNotification: none, onOther: none };
    const receiver = await startReceiver(options);
    onTestFinished(() => receiver[Symbol.asyncDispose]());
    return portOf(receiver);
  },
  'speech service': async () => portOf(await startTestService()),
};

test('half a request is ended by every server within some seconds', { tags: ['slow'] }, async () => {
  const ended = await Promise.all(
    Object.entries(SERVERS).map(async ([name, start]) => {
      const socket = await rawConnection({ port: await start() });
      const startedAt = performance.now();
      socket.resume().write('GET / HTTP/1.1\r\nHost: local');
      await closeOf(socket);
      return [name, performance.now() - startedAt] as const;
    }),
  );
  expect(ended.filter(([, ms]) => ms > 25_000)).toEqual([]);
});
