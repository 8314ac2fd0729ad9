// @module-tag slow

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import type { Cassette } from '../../../src/replay/cassette/cassette.ts';
import { CassetteError } from '../../../src/replay/cassette/cassetteError.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../src/replay/cassette/recordedRun.ts';
import type { FaultSchedule } from '../../../src/replay/play/faults/faultSchedule.ts';
import { playServer } from '../../../src/replay/play/server/playServer.ts';
import { playSource } from '../../../src/replay/play/source/playSource.ts';
import { observeSession } from '../../../src/replay/session/observeSession.ts';
import { inVirtualTime } from '../../../src/replay/time/inVirtualTime.ts';
import { cassetteDifferences } from '../../helpers/cassetteDifferences.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { anyJson } from '../../helpers/schemaArbitraries.ts';
import { recordSpeech, SPEECH, speechBlocks } from '../cassette/recordings.ts';

/** Damage to the bytes of a cassette. */
type Mutation = (cassette: Buffer) => Buffer;

const place = fc.double({ min: 0, max: 1, noNaN: true });
const placeIn = (length: number, at: number) => Math.min(length - 1, Math.floor(at * length));

const withLines = (change: (lines: string[]) => string[]): Mutation => {
  return cassette => Buffer.from(change(cassette.toString('latin1').split('\n')).join('\n'), 'latin1');
};

const ODD_VALUES = [
  '-1',
  '1e308',
  '1e999',
  '4294967296',
  '0.5',
  'null',
  'true',
  '"0"',
  '"abc"',
  '{"start_ts":"abc"}',
  '{"type":"final","elements":[null]}',
  `"${'é'.repeat(100)}"`,
  '[]',
  '{}',
  '"\\u0000"',
  'NaN',
];

/** One value of one line becomes another one. */
const otherValue = fc
  .tuple(
    place,
    place,
    fc.oneof(
      fc.constantFrom(...ODD_VALUES),
      anyJson.map(json => JSON.stringify(json) ?? 'null'),
    ),
  )
  .map(
    ([line, field, value]): Mutation =>
      withLines(lines => {
        const index = placeIn(lines.length, line);
        const fields = [...lines[index]!.matchAll(/:("[^"]*"|[^,{}[\]]+)/g)];
        const found = fields[placeIn(fields.length, field)];
        if (!found) return lines;
        const text = lines[index]!;
        const changed = `${text.slice(0, found.index)}:${value}${text.slice(found.index + found[0].length)}`;
        return lines.with(index, changed);
      }),
  );

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: otherValue },
  place.map(
    (at): Mutation =>
      cassette =>
        cassette.subarray(0, placeIn(cassette.length, at)),
  ),
  fc.tuple(place, place).map(([a, b]) =>
    withLines(lines => {
      const [i, j] = [placeIn(lines.length, a), placeIn(lines.length, b)];
      return lines.with(i, lines[j]!).with(j, lines[i]!);
    }),
  ),
  fc
    .tuple(place, place)
    .map(([a, b]) =>
      withLines(lines => lines.toSpliced(placeIn(lines.length, a), 0, lines[placeIn(lines.length, b)]!)),
    ),
  place.map(at => withLines(lines => lines.toSpliced(placeIn(lines.length, at), 1))),
  fc.tuple(place, fc.nat(255)).map(
    ([at, byte]): Mutation =>
      cassette => {
        const changed = Buffer.from(cassette);
        changed[placeIn(changed.length, at)] = byte;
        return changed;
      },
  ),
  fc.tuple(place, fc.uint8Array({ maxLength: 40 })).map(
    ([at, bytes]): Mutation =>
      cassette => {
        const index = placeIn(cassette.length, at);
        return Buffer.concat([cassette.subarray(0, index), bytes, cassette.subarray(index)]);
      },
  ),
  fc
    .tuple(place, fc.constantFrom(10, 1000, 100_000), fc.constantFrom('[', '{"a":', '"'))
    .map(([at, depth, open]) =>
      withLines(lines => {
        const index = placeIn(lines.length, at);
        return lines.with(index, lines[index]!.replace(/:("[^"]*"|\d+)/, `:${open.repeat(depth)}`));
      }),
    ),
  fc
    .tuple(place, anyJson)
    .map(([at, json]) =>
      withLines(lines => lines.with(placeIn(lines.length, at), JSON.stringify(json) ?? '')),
    ),
  fc.constantFrom<Mutation>(
    cassette => Buffer.from(cassette.toString(), 'utf16le'),
    cassette => gzipSync(cassette),
    cassette => gzipSync(cassette).subarray(0, 99),
    cassette => Buffer.from(cassette.toString('base64')),
    cassette => Buffer.concat([cassette, Buffer.alloc(1000)]),
    cassette => gunzipSync(gzipSync(cassette)),
  ),
);

/** A cassette with some damage. */
const damaged = (good: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .array(mutation, { minLength: 1, maxLength: 3 })
    .map(all => all.reduce<Buffer>((bytes, mutate) => (bytes.length > 0 ? mutate(bytes) : bytes), good));

/** Longer than any client waits for a silent service. */
const MAX_SECONDS = 3600;

/** Plays one cassette to a client with the audio of another and returns the failure, if any. */
function played(cassette: Cassette, source: Cassette, faults: FaultSchedule): Promise<unknown> {
  return inVirtualTime(
    async (clock, signal) => {
      await using server = await playServer(cassette, { clock, faults });
      const live = transcribe({ url: server.url, token: server.token, clock });
      const source$ = playSource(source, { speed: 1, clock });
      return (await observeSession(source$, live, { clock, signal })).failure;
    },
    { maxSeconds: MAX_SECONDS },
  ).catch((error: unknown) => {
    expect(error).not.toMatchObject({ code: 'timeout' });
    return error;
  });
}

test.each(['beside', 'inside'] as const)(
  'a damaged cassette says where it is damaged, or is played to the end or to a typed error, also after a break, audio %s',
  async audio => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    const whole = join(directory, 'whole.cassette.jsonl');
    const blocks = speechBlocks(SPEECH, { gap: { from: 5, to: 8 } });
    await recordSpeech(path, { blocks, cassette: { path, audio } });
    const good = await readFile(path);
    await writeFile(whole, good);
    const source = await readCassette(whole);
    let [read, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(damaged(good), async bytes => {
        await writeFile(path, bytes);
        const cassette = await readCassette(path).catch((error: Error) => error);
        if (cassette instanceof Error) {
          expect(cassette).toBeInstanceOf(CassetteError);
          expect(cassette.message.length).toBeLessThan(1000);
          refused++;
          return;
        }
        recordedRun(cassette);
        cassetteDifferences(source, cassette);
        for (const faults of [[], [[{ kind: 'cut', afterSeconds: 0.5 }]]] as const) {
          const failure = await played(cassette, source, faults);
          if (failure !== undefined) expect(failure).toBeInstanceOf(RxscribeError);
        }
        read++;
      }),
      { numRuns: 400 },
    );
    // Both have to happen; otherwise one of them is not tested.
    expect(read).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(0);
  },
  300_000,
);
