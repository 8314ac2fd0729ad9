import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { concatMap, delay, from, lastValueFrom, of, throwError } from 'rxjs';
import { describe, expect, test as plainTest } from 'vitest';
import '../../../src/vitest.ts';
import { UnauthorizedError } from '../../../src/client/serviceErrors.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import type { Cassette } from '../../../src/replay/cassette/cassette.ts';
import { playSource } from '../../../src/replay/play/source/playSource.ts';
import { type ReplayFixtures, replayFixtures } from '../../../src/replay/vitest/fixtures.ts';
import { scriptedRecordings } from '../../helpers/scriptedRecordings.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { scriptedBlocks } from './scriptedRun.ts';

const SPEECH = [4, 7, 0, 0, 0, 9, 9];
const test = plainTest.extend(replayFixtures);

async function recorded(record: ReplayFixtures['record'], levels = SPEECH): Promise<Cassette> {
  const service = await startTestService();
  const { live, read } = record({ url: service.url, token: TEST_TOKEN });
  await lastValueFrom(from(scriptedBlocks(levels)).pipe(live));
  return read();
}

describe('toTranscribe() checks', () => {
  test('an audio file and a cassette', async ({ record, play }) => {
    const service = await startTestService();
    const cassette = await recorded(record);
    const live = () => transcribe({ url: service.url, token: TEST_TOKEN });
    await expect(live()).toTranscribe(cassette, { as: 'w4 w7 w9 w9' });
    await expect(live()).toTranscribe(cassette, { as: 'w4 w8 w9 w9', maxWer: 0.2, speed: 10 });
    await expect(live()).not.toTranscribe(cassette, { as: 'w4 w8 w9 w9' });
    const directory = await scriptedRecordings({ talk: { levels: SPEECH } });
    await expect(live()).toTranscribe(join(directory, 'talk.wav'), { as: 'w4 w7 w9 w9' });
    const server = await play(cassette);
    const played = transcribe({ url: server.url, token: server.token });
    await expect(played).toTranscribe(cassette, { as: 'w4 w7 w9 w9', server });
  });

  test('an operator of any kind, and its message has the result', async ({ record }) => {
    const cassette = await recorded(record);
    const mute = () => of();
    await expect(expect(mute).toTranscribe(cassette, { as: 'w4' })).rejects.toThrow(
      /^expected the words to be those of the reference, .*: 0 substitutions, 2 deletions/,
    );
    await expect(expect('w4').toTranscribe(cassette, { as: 'w4' })).rejects.toThrow(
      'toTranscribe() requires transcribe(...) or an operator from audio to events, not a string.',
    );
  });
});

describe('a stream that fails', () => {
  test('rejects with its error, also behind .not', async ({ record }) => {
    const cassette = await recorded(record);
    const broken = () => throwError(() => new Error('no words today'));
    await expect(expect(broken).toTranscribe(cassette, { as: 'w4' })).rejects.toThrow('no words today');
    await expect(expect(broken).not.toTranscribe(cassette, { as: 'w4' })).rejects.toThrow('no words today');
    const { url } = await startTestService();
    const stranger = transcribe({ url, token: 'not-a-token-it-knows' });
    await expect(expect(stranger).not.toTranscribe(cassette, { as: 'w8' })).rejects.toThrow(
      UnauthorizedError,
    );
  });
});

describe('a matcher refuses', () => {
  test('a service that a file should wait for', async ({ record, play }) => {
    const server = await play(await recorded(record));
    const directory = await scriptedRecordings({ talk: { levels: SPEECH } });
    const live = transcribe({ url: server.url, token: server.token });
    await expect(
      expect(live).toTranscribe(join(directory, 'talk.wav'), { as: 'w4', server }),
    ).rejects.toThrow("Option 'server' of toTranscribe() requires a cassette, not an audio file.");
  });

  test.each([Number.NaN, '30%'])(
    'is a limit of %s, which is reported before anything is streamed',
    async limit => {
      const unheard = () => throwError(() => new Error('streamed'));
      const maxWer = limit as number;
      await expect(expect(unheard).toTranscribe('talk.wav', { as: 'w4', maxWer })).rejects.toThrow(
        /^The limit of toTranscribe\(\) must be a number, not (NaN|a string)\.$/,
      );
      expect(() => expect('a').not.toMatchTranscript('b', { maxWer })).toThrow(
        /^The limit of toMatchTranscript\(\) must be a number/,
      );
      expect(() => expect('a').toMatchTranscript('a', { maxWer })).toThrow('must be a number');
    },
  );
});

describe('toMatchCassette() accepts', () => {
  test('a client that acts as recorded, but not one with other options', async ({ record, play }) => {
    const cassette = await recorded(record);
    const same = await play(cassette);
    const { url, token } = same;
    await lastValueFrom(playSource(cassette, { server: same }).pipe(transcribe({ url, token })));
    expect(same).toMatchCassette();
    const other = await play(cassette);
    const asked = transcribe({ url: other.url, token: other.token, filterProfanity: true });
    await lastValueFrom(playSource(cassette, { server: other }).pipe(asked));
    expect(other).not.toMatchCassette();
    expect(() => expect(other).toMatchCassette()).toThrow(
      /^expected the session to match the cassette, but there is 1 difference\n\nconnection 0: query\n {2}filter_profanity/,
    );
    expect(() => expect(same).not.toMatchCassette()).toThrow(
      'expected the session not to match the cassette, but there are 0 differences',
    );
  });
});

describe('fixtures', () => {
  let left: { url: string; path: string };

  test('provide a service and a recording', async ({ record, play }) => {
    const service = await startTestService();
    const recording = record({ url: service.url, token: TEST_TOKEN }, { audio: 'inside' });
    const blocks$ = from(scriptedBlocks(SPEECH));
    await lastValueFrom(
      blocks$.pipe(
        concatMap(block => of(block).pipe(delay(0))),
        recording.live,
      ),
    );
    const { url } = await play(recording.path);
    left = { url, path: recording.path };
    expect(existsSync(recording.path)).toBe(true);
  });

  test('are removed after the test', async () => {
    expect(existsSync(left.path)).toBe(false);
    await expect(fetch(left.url.replace('ws:', 'http:'))).rejects.toThrow();
  });

  test('have a clock for each test', ({ virtualClock }) => {
    let calls = 0;
    virtualClock.schedule(1000, () => calls++);
    virtualClock.advance(999);
    expect(calls).toBe(0);
    virtualClock.advance(1);
    expect(calls).toBe(1);
  });
});
