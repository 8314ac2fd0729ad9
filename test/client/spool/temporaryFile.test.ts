import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createReplayStore } from '../../../src/client/spool/createReplayStore.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { chunkAt } from '../../helpers/replayModel.ts';

const format = { sampleFormat: 'S16LE', sampleRate: 10, channels: 1 } as const;
/** A page of a second. */
const PAGE_BYTES = 20;

/** The files without a name that this process has open in a directory, as paths that can be opened. */
function namelessIn(directory: string): readonly string[] {
  return readdirSync('/proc/self/fd')
    .map(fd => join('/proc/self/fd', fd))
    .filter(path => {
      try {
        return readlinkSync(path).startsWith(directory) && readlinkSync(path).endsWith('(deleted)');
      } catch {
        return false;
      }
    });
}

async function newStore(memorySeconds = 1) {
  const directory = await temporaryDirectory();
  return { directory, store: createReplayStore({ format, memorySeconds, directory }) };
}

describe('the temporary file of a replay store', () => {
  test('has no name, is readable by its owner only, and is deleted when the store is closed', async () => {
    const { directory, store } = await newStore();
    store.append(chunkAt(0, 20));
    expect(namelessIn(directory)).toEqual([]);
    store.append(chunkAt(20, 100));
    expect(await readdir(directory)).toEqual([]);
    const [path] = namelessIn(directory);
    expect(statSync(path!).mode & 0o777).toBe(0o600);
    store.close();
    expect(namelessIn(directory)).toEqual([]);
  });

  test('is no larger than the audio that was needed, and is emptied when none is', async () => {
    const { directory, store } = await newStore();
    store.keep({ startFrame: 500, endFrame: 600 });
    for (let frame = 0; frame < 20_000; frame += 10) {
      store.append(chunkAt(frame, 10));
      store.release(frame - 200);
      const [path] = namelessIn(directory);
      if (path) expect(statSync(path).size).toBeLessThanOrEqual(PAGE_BYTES * (20 + 10 + 3));
    }
    expect(store.read(500, 100)).toEqual(chunkAt(500, 100));
    expect(store.read(19_800, 1000)).toEqual(chunkAt(19_800, 200));
    store.release(20_000);
    expect(statSync(namelessIn(directory)[0]!).size).toBeGreaterThan(0);
    store.letGo({ startFrame: 500, endFrame: 600 });
    expect(statSync(namelessIn(directory)[0]!).size).toBe(0);
    for (let frame = 20_000; frame < 20_200; frame += 10) store.append(chunkAt(frame, 10));
    expect(store.read(20_000, 200)).toEqual(chunkAt(20_000, 200));
    store.close();
  });

  test('that cannot be created causes an error with its directory, and the chunk is not appended', () => {
    const store = createReplayStore({ format, memorySeconds: 0, directory: '/nonexistent' });
    store.append(chunkAt(0, 10));
    store.append(chunkAt(10, 1));
    expect(() => store.append(chunkAt(11, 10))).toThrow(
      expect.objectContaining({
        code: 'store',
        message: expect.stringContaining("'/nonexistent': no such file or directory."),
      }),
    );
    expect(store.headFrame).toBe(11);
    expect(store.read(0, 100)).toEqual(chunkAt(0, 11));
    store.close();
  });

  test('that is full loses no audio, and is used again when audio was released', async () => {
    const program = new URL('../../helpers/fillStoreMain.ts', import.meta.url).pathname;
    const args = ['-c', 'ulimit -f 64; exec "$@"', 'bash', process.execPath, '--conditions=source', program];
    const { stdout } = await promisify(execFile)('bash', [...args, await temporaryDirectory()]);
    const { fullFrame, headFrame, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({
      code: 'store',
      message: expect.stringMatching(/^Cannot write audio to a temporary file in '.*': file too large\.$/),
      isWholeWhenFull: true,
      isWholeInTheEnd: true,
    });
    expect(fullFrame).toBeGreaterThan(30_000);
    expect(headFrame).toBeGreaterThan(fullFrame * 1.4);
  });
});
