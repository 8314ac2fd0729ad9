import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Cassette, CassetteLine } from '../../../src/replay/cassette/cassette.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { record } from '../../../src/replay/cassette/record/record.ts';
import type { RecordPlaces } from '../../../src/replay/cassette/record/recordOptions.ts';
import { recordedRun } from '../../../src/replay/cassette/recordedRun.ts';
import { playServer } from '../../../src/replay/play/server/playServer.ts';
import { playSource } from '../../../src/replay/play/source/playSource.ts';
import { cassetteDifferences } from '../../helpers/cassetteDifferences.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { recordSpeech, SPEECH, speechBlocks } from './recordings.ts';

type Gap = { readonly from: number; readonly to: number };

/** Plays a cassette to a client with its recorded options and records the session. */
async function playedAndRecorded(cassette: Cassette, places: RecordPlaces): Promise<Cassette> {
  await using server = await playServer(cassette);
  const { url, token } = server;
  const live = record({ url, token, metadata: 'a talk', cassette: places });
  await lastValueFrom(playSource(cassette, { server }).pipe(live, toArray()));
  server.check();
  return readCassette(places.path);
}

describe('a session with a service', () => {
  const gaps: readonly [string, Gap | undefined][] = [
    ['without a gap', undefined],
    ['with a gap', { from: 5, to: 8 }],
  ];

  /** Compares a recording with one of its playback, and with a third one of that. */
  async function isUnchanged(gap: Gap | undefined, container: 'wav' | 'flac') {
    const directory = await temporaryDirectory();
    const path = join(directory, 'first.cassette.jsonl');
    const blocks = speechBlocks(SPEECH, { ...(gap && { gap }) });
    await recordSpeech(path, { blocks, metadata: 'a talk' });
    const first = await readCassette(path);
    const second = await playedAndRecorded(first, { path: join(directory, 'second.jsonl'), audio: 'inside' });
    const third = await playedAndRecorded(second, {
      path: join(directory, 'third.jsonl'),
      container,
    });
    expect(cassetteDifferences(first, second)).toEqual([]);
    expect(cassetteDifferences(first, third)).toEqual([]);
    expect(recordedRun(third).transcript.monologues).toEqual(recordedRun(first).transcript.monologues);
    expect(recordedRun(first).transcript.monologues).not.toEqual([]);
  }

  test.each(gaps)('is unchanged after playing and recording it again, %s', (_, gap) =>
    isUnchanged(gap, 'wav'),
  );

  test.each(gaps)('is unchanged with its audio as FLAC, %s', { tags: 'tools' }, (_, gap) =>
    isUnchanged(gap, 'flac'),
  );
});

describe('cassetteDifferences', () => {
  test('lists the differences with both sides', async () => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    await recordSpeech(path);
    const cassette = await readCassette(path);
    const changed = (change: (line: CassetteLine) => CassetteLine | undefined): Cassette => ({
      ...cassette,
      lines: cassette.lines.flatMap(line => change(line) ?? []),
    });
    const otherWords = changed(line =>
      JSON.stringify(line).includes('"value":"W9"')
        ? (JSON.parse(JSON.stringify(line).replace('"W9"', '"W8"')) as CassetteLine)
        : line,
    );
    const [difference, ...others] = cassetteDifferences(cassette, otherWords);
    expect(others).toEqual([]);
    expect(difference).toMatch(/^connection 0, message \d+: .*W9.* became .*W8/);
    const unsaid = changed(line => (line.type === 'send_text' ? undefined : line));
    expect(cassetteDifferences(cassette, unsaid)).toEqual([
      'connection 0, send_text 1: {"text":"EOS"} became nothing',
    ]);
    const less = changed(line => {
      if (line.type !== 'send') return line;
      return line.start === 0 ? { ...line, frames: 4800, frame: 4800 } : undefined;
    });
    expect(cassetteDifferences(cassette, less)).toEqual([
      `connection 0, audio sent: 0-${SPEECH.length} became 0-4800`,
    ]);
    const messages = cassette.lines.filter(line => line.type === 'message');
    const without = changed(line => (line === messages[1] ? undefined : line));
    expect(cassetteDifferences(cassette, without)).toEqual([
      expect.stringMatching(/^connection 0, message 2: .* became nothing$/),
    ]);
    expect(cassetteDifferences(without, cassette)).toEqual([
      expect.stringMatching(/^connection 0, message 2: nothing became /),
    ]);
    const { end: _end, ...cutOff } = cassette;
    expect(cassetteDifferences(cassette, cutOff)).toHaveLength(2);
  });

  test('counts the differences that it does not list', () => {
    const gaps = (count: number, frames: number) =>
      Array.from({ length: count }, (_, start) => ({ type: 'gap', ms: 0, start, frames }) as const);
    for (const count of [30, 12_000]) {
      const differences = cassetteDifferences({ lines: gaps(count, 1) }, { lines: gaps(count - 1, 2) });
      expect(differences).toHaveLength(21);
      expect(differences.at(-1)).toBe(`and ${count - 20} more`);
    }
  });

  test('ignores time, address and versions', async () => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    await recordSpeech(path);
    const cassette = await readCassette(path);
    const lines = cassette.lines.map(line => ({
      ...line,
      ms: line.ms * 2,
      ...(line.type === 'connect' && { address: 'ws://elsewhere' }),
    }));
    expect(cassetteDifferences(cassette, { ...cassette, lines })).toEqual([]);
  });
});
