import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transcription } from '../../client/stream/transcribe.ts';
import type { Cassette } from '../cassette/cassette.ts';
import { readCassette } from '../cassette/read/readCassette.ts';
import { record } from '../cassette/record/record.ts';
import type { RecordOptions } from '../cassette/record/recordOptions.ts';
import { type CassetteServer, type PlayServerOptions, playServer } from '../play/server/playServer.ts';
import { VirtualClock } from '../time/virtualClock.ts';

/** A stream that is being recorded. */
export interface Recording {
  readonly live: Transcription;
  /** In a directory that goes with the test. */
  readonly path: string;
  /** What was recorded, when the stream is over. */
  read(): Promise<Cassette>;
}

/** What {@link replayFixtures} give to a test. */
export interface ReplayFixtures {
  /** Starts a service that answers as recorded; it is closed when the test is over. */
  readonly play: (cassette: string | Cassette, options?: PlayServerOptions) => Promise<CassetteServer>;
  /** `transcribe` whose session is kept until the test is over. */
  readonly record: (
    options: Omit<RecordOptions, 'cassette'>,
    how?: Omit<RecordOptions['cassette'], 'path'>,
  ) => Recording;
  /** A clock of the test's own, which stands still until it is moved. */
  readonly virtualClock: VirtualClock;
}

type Use<Value> = (value: Value) => Promise<void>;

/**
 * Fixtures for vitest.
 *
 * @example
 * const replayTest = test.extend(replayFixtures);
 * replayTest('captions are those of the recording', async ({ play }) => {
 *   const { url, token } = await play('call.jsonl');
 * });
 */
export const replayFixtures = {
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it what a fixture needs
  play: async ({}: object, use: Use<ReplayFixtures['play']>): Promise<void> => {
    const servers: CassetteServer[] = [];
    try {
      await use(async (cassette, options) => {
        const read = typeof cassette === 'string' ? await readCassette(cassette) : cassette;
        const server = await playServer(read, options);
        servers.push(server);
        return server;
      });
    } finally {
      await Promise.all(servers.map(server => server.close()));
    }
  },

  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it what a fixture needs
  record: async ({}: object, use: Use<ReplayFixtures['record']>): Promise<void> => {
    const directory = await mkdtemp(join(tmpdir(), 'rxscribe-recording-'));
    let count = 0;
    try {
      await use((options, how) => {
        const path = join(directory, `${++count}.jsonl`);
        const live = record({ ...options, cassette: { ...how, path } });
        return { live, path, read: () => readCassette(path) };
      });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },

  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it what a fixture needs
  virtualClock: async ({}: object, use: Use<VirtualClock>): Promise<void> => {
    await use(new VirtualClock());
  },
} as const;
