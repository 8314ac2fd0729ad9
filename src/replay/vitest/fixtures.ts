import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transcription } from '../../client/stream/liveOperator.ts';
import type { Cassette } from '../cassette/cassette.ts';
import { readCassette } from '../cassette/read/readCassette.ts';
import { record } from '../cassette/record/record.ts';
import type { RecordOptions } from '../cassette/record/recordOptions.ts';
import { type CassetteServer, type PlayServerOptions, playServer } from '../play/server/playServer.ts';
import { VirtualClock } from '../time/virtualClock.ts';

/** A recording stream. */
export interface Recording {
  readonly live: Transcription;
  /** Path of the cassette, in a directory that is removed after the test. */
  readonly path: string;
  /** Reads the cassette after the stream has ended. */
  read(): Promise<Cassette>;
}

/** The fixtures of {@link replayFixtures}. */
export interface ReplayFixtures {
  /** Starts a service that replays a cassette; it is closed after the test. */
  readonly play: (cassette: string | Cassette, options?: PlayServerOptions) => Promise<CassetteServer>;
  /** Transcribes and records the session until the end of the test. */
  readonly record: (
    options: Omit<RecordOptions, 'cassette'>,
    how?: Omit<RecordOptions['cassette'], 'path'>,
  ) => Recording;
  /** A clock for this test, which stands still until it is advanced. */
  readonly virtualClock: VirtualClock;
}

type Use<Value> = (value: Value) => Promise<void>;

/**
 * Fixtures for Vitest.
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
