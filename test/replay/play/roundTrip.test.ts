import { join } from 'node:path';
import { lastValueFrom, map, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import type { TranscribeOptions } from '../../../src/client/stream/options.ts';
import type { Cassette, CassetteLine } from '../../../src/replay/cassette/cassette.ts';
import { messageText } from '../../../src/replay/cassette/cassetteLines.ts';
import { LineOrder } from '../../../src/replay/cassette/read/lineFaults.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { record } from '../../../src/replay/cassette/record/record.ts';
import type { RecordOptions } from '../../../src/replay/cassette/record/recordOptions.ts';
import { recordedRun } from '../../../src/replay/cassette/recordedRun.ts';
import type { FaultSchedule } from '../../../src/replay/play/faults/faultSchedule.ts';
import { placedBy, wordsOfText } from '../../../src/replay/play/script/words.ts';
import { playServer } from '../../../src/replay/play/server/playServer.ts';
import { playSource } from '../../../src/replay/play/source/playSource.ts';
import { inVirtualTime } from '../../../src/replay/time/inVirtualTime.ts';
import { cassetteDifferences } from '../../helpers/cassetteDifferences.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { finalWords } from '../../helpers/finalWords.ts';
import { madeCassette } from '../../helpers/madeCassette.ts';
import { playedServer, streamedTo } from '../../helpers/playedServer.ts';

function inStereo(block: AudioBlock): AudioBlock {
  const samples = Float32Array.from({ length: block.samples.length * 2 }, (_, i) => block.samples[i >> 1]!);
  return { ...block, channels: 2, samples };
}

/** Plays a cassette in virtual time and records the session. */
function recordedAgain(
  cassette: Cassette,
  places: RecordOptions['cassette'],
  faults: FaultSchedule = [],
  { change, ...options }: Partial<TranscribeOptions> & { readonly change?: typeof inStereo } = {},
): Promise<Cassette> {
  return inVirtualTime(async clock => {
    await using server = await playServer(cassette, { clock, latency: 'recorded', faults });
    const { url, token } = server;
    const live = record({ ...options, url, token, clock, cassette: places });
    const source$ = playSource(cassette, { speed: 1, clock });
    await lastValueFrom((change ? source$.pipe(map(change)) : source$).pipe(live, toArray()));
    // A client with other options differs.
    if (!change && Object.keys(options).length === 0) server.check();
    return readCassette(places.path);
  });
}

test('a played session is recorded as the same session', async () => {
  const directory = await temporaryDirectory();
  const first = await recordedAgain(madeCassette({ seconds: 12 }), { path: join(directory, 'first.jsonl') });
  const second = await recordedAgain(first, { path: join(directory, 'second.jsonl') });
  expect(cassetteDifferences(first, second)).toEqual([]);
  expect(first.lines.filter(({ type }) => type === 'message').length).toBeGreaterThan(20);
});

const START_TS = 90.5;

/** Shifts all times of a cassette. */
function beginningAt(startTs: number, made: Cassette): Cassette {
  const lines = made.lines.map((line): CassetteLine => {
    if (line.type === 'connect') return { ...line, query: { ...line.query, start_ts: String(startTs) } };
    const words = line.type === 'message' && wordsOfText(messageText(line));
    return words ? { ...line, message: placedBy(words, ts => ts + startTs) } : line;
  });
  return { ...made, lines };
}

test.each([
  ['of two channels', { change: inStereo }],
  ['of samples in 32 bits', { sampleFormat: 'F32LE' }],
  ['that begins at a time', { startTs: START_TS }],
] as const)('a session %s is recorded as the same session', async (_, options) => {
  const directory = await temporaryDirectory();
  const made = beginningAt('startTs' in options ? START_TS : 0, madeCassette({ seconds: 6 }));
  const first = await recordedAgain(made, { path: join(directory, 'first.jsonl') }, [], options);
  const again = 'change' in options ? {} : options;
  const second = await recordedAgain(first, { path: join(directory, 'second.jsonl') }, [], again);
  expect(cassetteDifferences(first, second)).toEqual([]);
  expect(first.lines.filter(({ type }) => type === 'message').length).toBeGreaterThan(10);
});

test('messages with other formatting and late blocks are recorded again as they were', async () => {
  const directory = await temporaryDirectory();
  const made = madeCassette({ seconds: 12 });
  const lines = made.lines.map(line => {
    const late = line.ms > 5000 ? { ...line, ms: line.ms + 14_000 } : line;
    if (late.type !== 'message') return late;
    const { message, ...rest } = late;
    return { ...rest, text: JSON.stringify(message, null, 1).replaceAll(/\n */g, ' ') };
  });
  const end = { ...made.end!, ms: made.end!.ms + 14_000 };
  const order = new LineOrder();
  expect([made.header, ...lines, end].map(line => order.faultOf(line)).filter(Boolean)).toEqual([]);
  // The generated cassette has no keep-alive silence.
  const first = await recordedAgain({ ...made, lines, end }, { path: join(directory, 'first.jsonl') }, [], {
    resume: {},
  });
  const second = await recordedAgain(first, { path: join(directory, 'second.jsonl') });
  expect(cassetteDifferences(first, second)).toEqual([]);
  expect(first.lines.some(({ type }) => type === 'pad')).toBe(true);
  // At any speed, also where the source does not pause.
  const server = await playedServer(first);
  const events = await streamedTo(server, first);
  server.check();
  expect(finalWords(events)).toEqual(finalWords(recordedRun(first).events.map(({ value }) => value)));
});

test('a session with breaks has the same finals over all its connections when it is played', async () => {
  const directory = await temporaryDirectory();
  const faults = [
    [{ kind: 'cut', afterSeconds: 3.3 }],
    [{ kind: 'close', code: 4010, reason: 'Server shutting down', afterSeconds: 4 }],
  ] as const;
  const first = await recordedAgain(
    madeCassette({ seconds: 12 }),
    { path: join(directory, 'first.jsonl') },
    faults,
  );
  const second = await recordedAgain(first, { path: join(directory, 'second.jsonl') });
  const finals = ({ lines }: Cassette) =>
    lines.flatMap(line =>
      line.type === 'message' && (line.message as { type: string }).type === 'final' ? [line.message] : [],
    );
  expect(finals(second)).toEqual(finals(first));
  expect(second.lines.filter(({ type }) => type === 'connect')).toHaveLength(3);
});

test('a connection that fell silent falls silent again', async () => {
  const directory = await temporaryDirectory();
  const made = madeCassette({ seconds: 30 });
  const faults = [[{ kind: 'half-open', afterSeconds: 3.3 }]] as const;
  const first = await recordedAgain(made, { path: join(directory, 'first.jsonl') }, faults);
  const second = await recordedAgain(first, { path: join(directory, 'second.jsonl') });
  expect(first.lines.filter(({ type }) => type === 'connect')).toHaveLength(2);
  expect(cassetteDifferences(first, second)).toEqual([]);
});

test('a break at another point than in the recording loses no word', async () => {
  const directory = await temporaryDirectory();
  const made = madeCassette({ seconds: 12 });
  const first = await recordedAgain(made, { path: join(directory, 'first.jsonl') }, [
    [{ kind: 'cut', afterSeconds: 7.7 }],
  ]);
  const second = await recordedAgain(first, { path: join(directory, 'second.jsonl') }, [
    [{ kind: 'cut', afterSeconds: 2.6 }],
  ]);
  const words = ({ lines }: Cassette) =>
    lines.flatMap(line => {
      const { type, elements } = (line.type === 'message' ? line.message : {}) as {
        type?: string;
        elements?: { type: string }[];
      };
      return type === 'final' ? elements!.filter(element => element.type === 'text') : [];
    });
  expect(words(second)).toEqual(words(made));
});

test('a session of several connections can be played over one', async () => {
  const directory = await temporaryDirectory();
  const made = madeCassette({ seconds: 60 });
  const rolled = await recordedAgain(made, { path: join(directory, 'first.jsonl') }, [], {
    sessionSeconds: 20,
  });
  const spans = rolled.lines.filter(({ type }) => type === 'connect');
  expect(spans).toHaveLength(3);
  const server = await playedServer(rolled);
  const events = await streamedTo(server, rolled);
  const recorded = finalWords(recordedRun(rolled).events.map(({ value }) => value));
  expect(recorded).toHaveLength(120);
  expect(finalWords(events)).toMatchObject(
    recorded.map(({ value, ts }) => ({ value, ts: expect.closeTo(ts!, 2) })),
  );
  server.check();
});
