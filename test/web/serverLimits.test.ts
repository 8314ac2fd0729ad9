import { describe, expect, onTestFinished, test } from 'vitest';
import { openCaptionPage } from '../../src/captions/outputs/page/captionPage.ts';
import { createNotificationReceiver } from '../../src/client/jobs/notificationReceiver.ts';
import { type PlaceUse, SharedPlaces } from '../../src/web/serverLimits.ts';
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

  describe('whose use is known', () => {
    /** Places with evicted holders; the use of a holder is what its name begins with. */
    const observedPlaces = (limit: number) => {
      const gone: string[] = [];
      const useOf = (holder: string) => holder.split(' ')[0] as PlaceUse;
      return { gone, places: new SharedPlaces<string>(limit, holder => gone.push(holder), useOf) };
    };

    test('leave active holders last, the latest of the network with most, for another network', () => {
      const { gone, places } = observedPlaces(3);
      take(places, { 'active 1': '192.0.2.1', 'active 2': '192.0.2.1', 'active 3': '192.0.2.1' });
      const [same, other] = take(places, { 'active 4': '192.0.2.1', 'unknown 5': '192.0.2.2' });
      expect([same, other]).toEqual([undefined, expect.any(Function)]);
      expect(gone).toEqual(['active 3']);
    });

    test('leave idle holders first, the oldest of the network with most, also for a newcomer of it', () => {
      const { gone, places } = observedPlaces(5);
      take(places, { 'idle 1': '192.0.2.2', 'active 2': '192.0.2.1', 'idle 3': '192.0.2.1' });
      take(places, { 'unknown 4': '192.0.2.1', 'idle 5': '192.0.2.1' });
      expect(take(places, { 'active 6': '192.0.2.1', 'active 7': '192.0.2.3' })).not.toContain(undefined);
      expect(gone).toEqual(['idle 3', 'idle 5']);
    });

    test('leave holders of unknown use beyond twenty of a network, the oldest first', () => {
      const { gone, places } = observedPlaces(22);
      for (let holder = 0; holder < 22; holder++) places.take('192.0.2.1', `unknown ${holder}`);
      expect(take(places, { 'active 22': '192.0.2.1', 'active 23': '192.0.2.1' })).not.toContain(undefined);
      expect(gone).toEqual(['unknown 0', 'unknown 1']);
      expect(places.take('192.0.2.1', 'active 24')).toBeUndefined();
    });
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
