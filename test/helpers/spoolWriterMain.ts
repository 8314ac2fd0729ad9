import { statSync, writeSync } from 'node:fs';
import { openSpool } from '../../src/client/spool/openSpool.ts';
import { readSpool } from '../../src/client/spool/readSpool.ts';
import type { LeftSpool, Spool } from '../../src/client/spool/spool.ts';
import { chunkAt } from './replayModel.ts';
import type { SpoolWriting } from './spoolWriter.ts';

/**
 * A program that writes a chunk and a note at a time to a spool, as its first argument says, and prints a line for each
 * that was taken: the bytes of the file. It kills itself in the end, or is killed before.
 */
const {
  path,
  key: hex,
  rounds = Number.POSITIVE_INFINITY,
  goOn = false,
}: SpoolWriting = JSON.parse(process.argv[2] ?? '{}');
const key = hex === undefined ? undefined : Buffer.from(hex, 'hex');
const print = (line: unknown) => writeSync(1, `${line}\n`);
const open = (): Spool & Partial<LeftSpool> => {
  if (goOn) return readSpool(path, { key, spareBytes: 20_000 });
  const subject = { addresses: [], query: { language: 'en' }, marginSeconds: 2 };
  const format = { sampleFormat: 'S16LE', sampleRate: 10, channels: 1 } as const;
  return openSpool({ path, subject, format, key, memorySeconds: 1, spareBytes: 20_000 });
};
try {
  const spool = open();
  print(statSync(path).size);
  const first = spool.notes?.length ?? 0;
  for (let at = first; at < first + rounds; at++) {
    // One that was killed between a chunk and its note has left the chunk.
    if (spool.store.headFrame === at * 5) spool.store.append(chunkAt(at * 5, 5));
    print(statSync(path).size);
    spool.note({ type: 'event', event: { type: 'silence', ts: at, endTs: at + 1 } });
    print(statSync(path).size);
  }
} catch (error) {
  print(`${(error as { code: string }).code}: ${(error as Error).message}`);
}
process.kill(process.pid, 'SIGKILL');
