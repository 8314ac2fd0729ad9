import { lastValueFrom, tap, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { chunk } from '../../../../src/audio/chunk.ts';
import { framesOf } from '../../../../src/audio/format/format.ts';
import { transcribe } from '../../../../src/client/stream/transcribe.ts';
import { playServer } from '../../../../src/replay/play/server/playServer.ts';
import { playSource } from '../../../../src/replay/play/source/playSource.ts';
import { inVirtualTime } from '../../../../src/replay/time/inVirtualTime.ts';
import { finalWords } from '../../../helpers/finalWords.ts';
import { madeCassette } from '../../../helpers/madeCassette.ts';
import { playedServer } from '../../../helpers/playedServer.ts';

const CASSETTE = madeCassette({ seconds: 6 });
const ALL_WORDS = Array.from({ length: 12 }, (_, n) => `w${n}`);

describe('a source in step with a service', () => {
  test.each(['max', 40] as const)(
    'emits no audio before the earlier audio was answered, at speed %s',
    async speed => {
      const server = await playedServer(CASSETTE);
      let seconds = 0;
      const places: number[][] = [];
      const source = playSource(CASSETTE, { server, speed }).pipe(
        tap(block => {
          seconds = (block.startFrame + framesOf(block)) / block.sampleRate;
        }),
      );
      await source.pipe(transcribe({ url: server.url, token: server.token })).forEach(event => {
        if (event.type === 'partial' || event.type === 'final') places.push([event.endTs, seconds]);
      });
      // The last message follows the end.
      expect(places).toHaveLength(13);
      for (const [endTs, given] of places) expect(given).toBe(endTs);
      server.check();
    },
  );

  test('does not wait for a client that holds some audio back', async () => {
    const server = await playedServer(CASSETTE);
    const live = transcribe({ url: server.url, token: server.token });
    const events = await lastValueFrom(playSource(CASSETTE, { server }).pipe(chunk(370), live, toArray()));
    expect(finalWords(events).map(({ value }) => value)).toEqual(ALL_WORDS);
    server.check();
  });

  test.each([
    { kind: 'half-open', afterSeconds: 2.2 },
    { kind: 'cut', afterSeconds: 2.2 },
    { kind: 'delay', ms: 700 },
  ] as const)('continues in real time when no client answers: %o', async fault => {
    const words = await inVirtualTime(async clock => {
      await using server = await playServer(CASSETTE, { clock, faults: [[fault]] });
      const live = transcribe({ url: server.url, token: server.token, clock });
      const source = playSource(CASSETTE, { server, clock });
      return finalWords(await lastValueFrom(source.pipe(live, toArray())));
    });
    expect(words.map(({ value }) => value)).toEqual(ALL_WORDS);
  });

  test('ends when the server is closed', async () => {
    const server = await playServer(CASSETTE);
    const live = transcribe({ url: server.url, token: server.token, resume: false });
    let blocks = 0;
    const source = playSource(CASSETTE, { server }).pipe(tap(() => ++blocks === 20 && void server.close()));
    await expect(lastValueFrom(source.pipe(live, toArray()))).rejects.toMatchObject({
      code: 'connection-lost',
    });
  });
});
