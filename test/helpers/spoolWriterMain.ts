import { statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openSpool, readSpool } from '../../src/client/spool/openSpool.ts';
import type { AbandonedSpool, Spool } from '../../src/client/spool/spool.ts';
import { chunkAt } from './replayModel.ts';
import type { SpoolWriting } from './spoolWriter.ts';

/**
 * A program that writes a chunk and a note at a time to a spool, as its first argument says, and prints a line for each
 * that was taken: the bytes of the notes. Audio that is long past is released. It kills itself in the end, or is killed
 * before.
 */
const writing: SpoolWriting = JSON.parse(process.argv[2]!);
const { path, frames = 5, goOn = false, rounds = Number.POSITIVE_INFINITY, needed = rounds } = writing;
const print = (line: unknown) => writeSync(1, `${line}\n`);
const open = (): Spool & Partial<AbandonedSpool> => {
  if (goOn) return readSpool(path);
  const subject = { addresses: [], query: { language: 'en' }, marginSeconds: 2 };
  const format = { sampleFormat: 'S16LE', sampleRate: 10, channels: 1 } as const;
  return openSpool({ path, subject, format });
};
const spool = open();
try {
  print(statSync(join(path, 'notes.log')).size);
  const first = spool.notes?.length ?? 0;
  for (let at = first; at < first + rounds; at++) {
    // One that was killed has left a part of a chunk, or a chunk without its note.
    const { headFrame } = spool.store;
    const endFrame = (at + 1) * frames;
    if (headFrame < endFrame) spool.store.append(chunkAt(headFrame, endFrame - headFrame));
    spool.store.release((at - needed) * frames);
    print(statSync(join(path, 'notes.log')).size);
    spool.note({ type: 'event', event: { type: 'silence', ts: at, endTs: at + 1 } });
    print(statSync(join(path, 'notes.log')).size);
  }
} catch (error) {
  print(`${(error as { code: string }).code}: ${(error as Error).message}`);
  // There may be room for less.
  spool.store.append(chunkAt(spool.store.headFrame, 1));
}
process.kill(process.pid, 'SIGKILL');
