import { describe, expect, test } from 'vitest';
import type { Cassette } from '../../../../src/replay/cassette/cassette.ts';
import { CassetteMismatchError, describeMismatches } from '../../../../src/replay/play/match/mismatch.ts';
import { type BareClientOptions, bareSession, RAW_8000 } from '../../../helpers/bareClient.ts';
import { cassetteFrames } from '../../../helpers/cassetteFrames.ts';
import { madeCassette } from '../../../helpers/madeCassette.ts';
import { playedServer, streamedTo } from '../../../helpers/playedServer.ts';

const CASSETTE = madeCassette({ seconds: 3, query: { language: 'en', skip_postprocessing: 'true' } });
const QUERY = { language: 'en', skip_postprocessing: 'true' };
const FRAMES = await cassetteFrames(CASSETTE);

/** A cassette whose audio is read slowly, like FLAC. */
function withSlowAudio(): Cassette {
  const audio = CASSETTE.audio!;
  return {
    ...CASSETTE,
    audio: {
      ...audio,
      async *bytes() {
        for await (const piece of audio.bytes()) {
          await new Promise(resolve => setTimeout(resolve, 50));
          yield piece;
        }
      },
    },
  };
}

/** Returns the differences of a client. */
async function foundOf(options: BareClientOptions): Promise<string> {
  const server = await playedServer(CASSETTE);
  await bareSession(server, { query: QUERY, send: FRAMES, ...options });
  await server.settled();
  try {
    server.check();
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(CassetteMismatchError);
    expect(error).toMatchObject({ code: 'invalid-state', mismatches: server.mismatches });
    return (error as Error).message.replace('The session differs from the cassette:\n', '');
  }
}

/** Returns the frames with a change to one of them. */
const changed = (index: number, change: (frame: Buffer) => void) =>
  FRAMES.with(index, changedCopy(FRAMES[index] as Uint8Array, change));

function changedCopy(frame: Uint8Array, change: (frame: Buffer) => void): Buffer {
  const copy = Buffer.from(frame);
  change(copy);
  return copy;
}

describe('the comparison with the recorded client', () => {
  test('finds no difference in a client that acts as recorded', async () => {
    expect(await foundOf({})).toBe('');
    const other = 'audio/x-raw; channels=1; rate=8000; format=S16LE; layout=interleaved';
    expect(await foundOf({ query: { ...QUERY, content_type: other } })).toBe('');
  });

  test('finds no difference between a default and no value', async () => {
    const { language: _, ...withoutLanguage } = QUERY;
    expect(await foundOf({ query: withoutLanguage })).toBe('');
    const defaults = { filter_profanity: 'False', start_ts: '0.0', max_connection_wait_seconds: '60' };
    expect(await foundOf({ query: { ...QUERY, ...defaults } })).toBe('');
    expect(await foundOf({ query: { ...QUERY, language: 'fr' } })).toContain('recorded "en", found "fr"');
  });

  test.each<readonly [string, BareClientOptions, string | RegExp]>([
    [
      'another query, with one line per parameter',
      { query: { language: 'de', metadata: 'x' } },
      'connection 0: query\n  language: recorded "en", found "de"\n  metadata: recorded none, found "x"\n  skip_postprocessing: recorded "true", found none',
    ],
    [
      'an invalid query',
      { query: { ...QUERY, content_type: 'audio/x-flac' } },
      `connection 0: query\n  content_type: recorded "${RAW_8000}", found "audio/x-flac"`,
    ],
    [
      'another start time, when nothing was broken',
      { query: { ...QUERY, start_ts: '1' }, send: FRAMES.slice(10) },
      'connection 0: query\n  start_ts: recorded none, found "1"',
    ],
    [
      'one other sample',
      { send: changed(12, frame => frame.writeInt16LE(16_384, 10)) },
      /^connection 0: audio differs from frame 9605 \(1.201 s\) on, in 1 frames$/,
    ],
    [
      'silence for a tenth of a second',
      { send: changed(5, frame => frame.fill(0)) },
      /^connection 0: audio differs from frame 400\d \(0.5(01)? s\) on, in (79\d|800) frames$/,
    ],
    [
      'audio that is shorter',
      { send: FRAMES.toSpliced(29, 1) },
      'connection 0: audio of 3 s recorded, found 2.9 s',
    ],
    [
      'audio that is longer',
      { send: FRAMES.toSpliced(30, 0, FRAMES[0] ?? '') },
      'connection 0: audio of 3 s recorded, found 3.1 s',
    ],
    [
      'another text frame',
      { send: ['what?'] },
      /connection 0: a text frame of 5 characters that was not recorded/,
    ],
  ])('finds %s', async (_, options, found) => {
    const all = await foundOf(options);
    if (typeof found === 'string') expect(all).toBe(found);
    else expect(all).toMatch(found);
  });

  test('finds a missing end', async () => {
    const server = await playedServer(CASSETTE);
    const session = bareSession(server, { query: QUERY, send: FRAMES.slice(0, 30) });
    await server.connected(new AbortController().signal);
    await server.settled();
    expect(() => server.check()).toThrow('connection 0: EOS recorded, found none');
    await server.close();
    await session;
  });

  test('finds other audio as soon as the client has received the end, whatever the container', async () => {
    const cassette = withSlowAudio();
    const server = await playedServer(cassette);
    const inverted = FRAMES.map((frame, index) =>
      index >= 10 && typeof frame !== 'string' ? frame.map(byte => ~byte) : frame,
    );
    expect((await bareSession(server, { query: QUERY, send: inverted })).code).toBe(1000);
    expect(() => server.check()).toThrow('connection 0: audio differs from frame 8000');
  });

  test('counts a missing end at an early check, and no more when the end has come', async () => {
    const server = await playedServer(CASSETTE);
    const streamed = streamedTo(server, CASSETTE, { language: 'en', skipPostprocessing: true });
    await server.connected(new AbortController().signal);
    expect(() => server.check()).toThrow('EOS recorded, found none');
    await streamed;
    server.check();
  });

  test('finds additional and missing connections', async () => {
    const server = await playedServer(CASSETTE);
    expect(() => server.check()).toThrow('1 connections recorded, found 0');
    await streamedTo(server, CASSETTE, { language: 'en', skipPostprocessing: true });
    server.check();
    await bareSession(server, { query: QUERY, send: FRAMES });
    expect(describeMismatches(server.mismatches)).toBe('1 connections recorded, found 2');
  });

  test('ignores differences of a disabled comparison', async () => {
    const server = await playedServer(CASSETTE, { match: { query: false, audio: false } });
    await bareSession(server, { query: { language: 'de' }, send: [new Uint8Array(4000), 'EOS'] });
    server.check();
  });
});
