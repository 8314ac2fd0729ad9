import type { PcmFormat } from '../../audio/format/format.ts';
import { PagedStore } from './pagedStore.ts';
import { pageBytesOf } from './pages.ts';
import type { ReplayStore } from './replayStore.ts';
import { SlotFile } from './slotFile.ts';

export interface ReplayStoreOptions {
  /** Of the bytes that chunks have. */
  readonly format: PcmFormat;
  /** Seconds of audio that stay in memory. Default 60. */
  readonly memorySeconds?: number;
  /** Where the temporary file for all other audio is made. Default that of the system. */
  readonly directory?: string;
}

export const REPLAY_STORE_DEFAULTS = { memorySeconds: 60 } as const;

/**
 * An empty store that ends with the process.
 *
 * Audio for which there is no room in memory goes to a temporary file: sealed with a key that only memory knows, and
 * without a name, so that nothing is left of it however the process ends.
 *
 * @throws InvalidArgumentError when `memorySeconds` is negative
 * @example
 * const store = createReplayStore({ format: { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } });
 * store.append({ startFrame: 0, frames: 2, bytes: new Uint8Array(4) });
 * store.read(1, 100); // { startFrame: 1, frames: 1, bytes }
 * store.close();
 */
export function createReplayStore({
  format,
  memorySeconds = REPLAY_STORE_DEFAULTS.memorySeconds,
  directory,
}: ReplayStoreOptions): ReplayStore {
  return new PagedStore({
    format,
    memorySeconds,
    file: new SlotFile({ pageBytes: pageBytesOf(format), directory }),
  });
}
