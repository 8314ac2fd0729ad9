import { describe, expect, test } from 'vitest';
import type { CassetteLine } from '../../../src/replay/cassette/cassette.ts';
import { playServer } from '../../../src/replay/play/server/playServer.ts';
import { playSource } from '../../../src/replay/play/source/playSource.ts';
import { finalWords } from '../../helpers/finalWords.ts';
import { madeCassette } from '../../helpers/madeCassette.ts';
import { faultyRun, playedServer, streamedTo } from '../../helpers/playedServer.ts';

const CASSETTE = madeCassette({ seconds: 12 });
const CUT = [[{ kind: 'cut', afterSeconds: 3.3 }]] as const;
const ALL_WORDS = Array.from({ length: 24 }, (_, n) => `w${n}`);

const withLines = (change: (line: CassetteLine) => CassetteLine | readonly CassetteLine[]) => ({
  ...CASSETTE,
  lines: CASSETTE.lines.flatMap(change),
});

async function wordsAfterCut(cassette: typeof CASSETTE): Promise<readonly string[]> {
  const { events } = await faultyRun(cassette, CUT);
  return finalWords(events.map(({ value }) => value)).map(({ value }) => value);
}

describe('every word arrives after a break', () => {
  test('with messages that a service printed with spaces', async () => {
    const spaced = withLines(line => {
      if (line.type !== 'message') return line;
      const { message, ...rest } = line;
      return { ...rest, text: JSON.stringify(message, null, 1).replaceAll(/\n */g, ' ') };
    });
    expect(await wordsAfterCut(spaced)).toEqual(ALL_WORDS);
  });

  test('although some messages cannot be decoded', async () => {
    const odd = withLines(line => {
      if (line.type !== 'message') return line;
      const { message: _, ...rest } = line;
      const others = [{ elements: [null] }, { elements: 'x' }, { ts: null, elements: [] }];
      return [
        line,
        ...others.map(fields => ({ ...rest, message: { type: 'final', ts: 1, end_ts: 2, ...fields } })),
        { ...rest, text: 'no JSON' },
      ];
    });
    expect(await wordsAfterCut(odd)).toEqual(ALL_WORDS);
  });
});

test('a close reason is truncated to fit a close frame', async () => {
  const long = withLines(line => (line.type === 'close' ? { ...line, reason: 'ü'.repeat(100) } : line));
  const server = await playedServer(long);
  expect(finalWords(await streamedTo(server, long))).toHaveLength(ALL_WORDS.length);
  server.check();
});

test.each(['abc', 'Infinity', ''])('a start of "%s" is ignored', async start_ts => {
  const odd = withLines(line =>
    line.type === 'connect' ? { ...line, query: { ...line.query, start_ts } } : line,
  );
  const server = await playedServer(odd, { match: { query: false } });
  expect(finalWords(await streamedTo(server, odd))).toHaveLength(ALL_WORDS.length);
});

test('a cassette with many gaps is played in linear time', async () => {
  const count = 200_000;
  const gaps = Array.from({ length: count }, (_, n) => ({ startFrame: 2 * n + 1, frames: 1 }));
  const audio = { ...madeCassette({ seconds: 50 }).audio!, gaps };
  expect(audio.frames).toBe(2 * count);
  const sends = Array.from({ length: count }, (_, n): readonly CassetteLine[] => [
    { type: 'block', ms: n, frame: 2 * n + 1 },
    { type: 'send', ms: n, connection: 0, frame: 2 * n + 1, start: 2 * n, frames: 1 },
  ]);
  const head = CASSETTE.lines.filter(({ type }) => type === 'connect' || type === 'opened');
  const many = { ...CASSETTE, audio, lines: [...head, ...sends.flat()] };
  await (await playServer(many)).close();
  let frames = 0;
  await playSource(many).forEach(({ samples }) => {
    frames += samples.length;
  });
  expect(frames).toBe(count);
});
