import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AudioFiles } from '../../../src/client/spool/audioFiles.ts';
import { openSpool, readSpool, removeSpool } from '../../../src/client/spool/openSpool.ts';
import { PartStore } from '../../../src/client/spool/partStore.ts';
import type { SpoolNote, SpoolSubject } from '../../../src/client/spool/spool.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { chunkAt, storeModel } from '../../helpers/replayModel.ts';
import { checkAll, replaySteps, takeStep } from '../../helpers/replaySteps.ts';
import { writeAndDie, writeUntilFull, writeUntilKilled } from '../../helpers/spoolWriter.ts';

const format = { sampleFormat: 'S16LE', sampleRate: 10, channels: 1 } as const;
const subject: SpoolSubject = {
  addresses: ['https://speech.example'],
  query: { language: 'en', metadata: 'weekly talk' },
  marginSeconds: 2,
};

const newPath = async () => join(await temporaryDirectory(), 'talk.spool');
const newOptions = async () => ({ path: await newPath(), subject, format });
const notesOf = (path: string) => join(path, 'notes.log');
const audioNames = async (path: string) => (await readdir(path)).filter(name => name.endsWith('.audio'));

function noteAt(number: number): SpoolNote {
  return { type: 'event', event: { type: 'silence', ts: number, endTs: number + 1 } };
}

/** A copy of the spool of a killed process: the spool itself is claimed with the first reading. */
function copyOf(path: string, name: string): string {
  const copy = `${path}.${name}`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(path, copy, { recursive: true });
  return copy;
}

describe('a spool', () => {
  test('is a replay store, and keeps the needed audio and all notes, however often it is left', {
    tags: 'slow',
  }, async () => {
    const directory = await temporaryDirectory();
    const steps = fc.array(fc.oneof({ weight: 9, arbitrary: replaySteps }, fc.constant('leave')), {
      maxLength: 8,
    });
    let runs = 0;
    fc.assert(
      fc.property(steps, parts => {
        const path = join(directory, `${runs++}.spool`);
        let spool = openSpool({ path, subject, format });
        const model = storeModel();
        const notes: SpoolNote[] = [];
        for (const part of parts) {
          if (part === 'leave') {
            spool.close();
            const left = readSpool(path);
            expect(left.notes).toEqual(notes);
            expect(left.subject).toEqual(subject);
            model.reset();
            expect(left.store.headFrame).toBe(model.headFrame);
            checkAll(left.store, model);
            spool = left;
          } else {
            for (const step of part) takeStep(step, spool.store, model);
            notes.push(noteAt(notes.length));
            spool.note(notes.at(-1)!);
          }
        }
        checkAll(spool.store, model);
        spool.finish();
      }),
      { numRuns: 100 },
    );
  });

  test('returns the ranges of audio, its format, and the notes', async () => {
    const options = await newOptions();
    const spool = openSpool(options);
    spool.store.append(chunkAt(0, 15));
    spool.note(noteAt(1));
    spool.store.append(chunkAt(15, 30));
    spool.store.append(chunkAt(60, 5));
    spool.note({ type: 'ended', endFrame: 65 });
    spool.close();
    const left = readSpool(options.path);
    expect(left.format).toEqual(format);
    expect(left.subject).toEqual(subject);
    expect(left.notes).toEqual([noteAt(1), { type: 'ended', endFrame: 65 }]);
    expect(left.audio).toEqual([
      { startFrame: 0, endFrame: 45 },
      { startFrame: 60, endFrame: 65 },
    ]);
    expect(left.store.read(10, 100)).toEqual(chunkAt(10, 35));
    left.finish();
    expect(existsSync(options.path)).toBe(false);
  });

  test('reads past a file without audio, which a process left that was killed before its first byte', async () => {
    const options = await newOptions();
    const spool = openSpool(options);
    spool.store.append(chunkAt(0, 15));
    spool.close();
    writeFileSync(join(options.path, '20.audio'), '');
    const left = readSpool(options.path);
    left.store.append(chunkAt(30, 5));
    expect(left.store.read(15, 100)).toEqual(chunkAt(30, 5));
    left.finish();
  });

  test('whose notes are cut at any byte has all complete ones, and can be continued', {
    tags: 'slow',
  }, async () => {
    const path = await newPath();
    const { sizes } = await writeAndDie({ path, rounds: 4 });
    const bytes = readFileSync(notesOf(path));
    const ends = sizes.filter((_, at) => at % 2 === 0);
    expect(ends).toHaveLength(5);
    expect(ends.at(-1)).toBe(bytes.length);
    for (let size = 0; size <= bytes.length; size++) {
      const cut = copyOf(path, 'cut');
      truncateSync(notesOf(cut), size);
      const whole = ends.filter(end => end <= size).length;
      if (whole === 0) {
        expect(() => readSpool(cut)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
        continue;
      }
      const left = readSpool(cut);
      expect(left.notes).toEqual(Array.from({ length: whole - 1 }, (_, at) => noteAt(at)));
      expect(left.store.read(0, 100)).toEqual(chunkAt(0, 20));
      left.note({ type: 'ended', endFrame: 99 });
      left.close();
      const again = readSpool(cut);
      expect(again.notes).toEqual([...left.notes, { type: 'ended', endFrame: 99 }]);
      again.finish();
    }
  });

  test('whose audio is cut at any byte has all complete frames, and can be continued', async () => {
    const path = await newPath();
    await writeAndDie({ path, rounds: 4 });
    for (let size = 0; size <= 40; size++) {
      const cut = copyOf(path, 'cut');
      truncateSync(join(cut, '0.audio'), size);
      const left = readSpool(cut);
      const head = Math.floor(size / 2);
      expect(left.store.headFrame).toBe(head);
      expect(left.audio).toEqual(head > 0 ? [{ startFrame: 0, endFrame: head }] : []);
      left.store.append(chunkAt(head, 30));
      expect(left.store.read(0, 100)).toEqual(chunkAt(0, head + 30));
      left.close();
      const again = readSpool(cut);
      expect(again.store.read(0, 100)).toEqual(chunkAt(0, head + 30));
      again.finish();
    }
  });

  test('is refused with a changed byte anywhere but in its last notes, and stays as it is', {
    tags: 'slow',
  }, async () => {
    const path = await newPath();
    const { sizes } = await writeAndDie({ path, rounds: 3 });
    const bytes = readFileSync(notesOf(path));
    // Without its end, a line is one with the next.
    for (let at = 0; at < sizes.at(-3)! - 1; at++) {
      const copy = Buffer.from(bytes);
      copy[at]! ^= 1 << (at % 8);
      writeFileSync(notesOf(path), copy);
      expect(() => readSpool(path), `byte ${at}`).toThrow(
        expect.objectContaining({ code: 'unreadable-input' }),
      );
      expect(readFileSync(notesOf(path)).equals(copy)).toBe(true);
    }
    expect((await readdir(path)).toSorted()).toEqual(['0.audio', 'notes.log', 'owner.1']);
  });

  test.each([
    ['zeros', (end: Buffer) => Buffer.alloc(end.length + 5000)],
    ['a byte that was changed', (end: Buffer) => end.with(20, end[20]! ^ 1)],
    ['a checksum that was changed', (end: Buffer) => end.with(0, end[0]! ^ 1)],
    ['bytes of no note', (end: Buffer) => Buffer.concat([end.subarray(0, 9), Buffer.alloc(70_000, '\n')])],
  ])('loses its last note when that is damaged: %s', async (_, damage) => {
    const path = await newPath();
    const { sizes } = await writeAndDie({ path, rounds: 2 });
    const bytes = readFileSync(notesOf(path));
    const end = damage(bytes.subarray(sizes.at(-2)!) as Buffer);
    writeFileSync(notesOf(path), Buffer.concat([bytes.subarray(0, sizes.at(-2)!), end]));
    const left = readSpool(path);
    expect(left.notes).toEqual([noteAt(0)]);
    left.note(noteAt(7));
    left.close();
    const again = readSpool(path);
    expect(again.notes).toEqual([noteAt(0), noteAt(7)]);
    again.finish();
  });

  test('has everything that was acknowledged after its process is killed, again and again', {
    tags: 'slow',
    timeout: 600_000,
  }, async () => {
    const path = await newPath();
    const frames = 20_000;
    const needed = 50;
    const rounds = Number(process.env.RXSCRIBE_KILLS ?? 8);
    let notesBefore = 0;
    for (let round = 0; round < rounds; round++) {
      const { chunks, notes } = await writeUntilKilled({ path, frames, needed, goOn: round > 0 });
      const left = readSpool(path);
      expect(left.notes.length).toBeGreaterThanOrEqual(notesBefore + notes);
      expect(left.notes).toEqual(left.notes.map((_, at) => noteAt(at)));
      // Notes beyond those that were acknowledged have chunks that were not, either.
      const earlier = notesBefore;
      notesBefore = left.notes.length;
      const { headFrame } = left.store;
      expect(headFrame).toBeGreaterThanOrEqual((earlier + chunks) * frames);
      const firstFrame = Math.max(0, headFrame - needed * frames);
      for (let frame = firstFrame; frame < headFrame; frame += 10_000) {
        const wanted = chunkAt(frame, Math.min(10_000, headFrame - frame));
        expect(Buffer.compare(left.store.read(frame, 10_000)!.bytes, wanted.bytes)).toBe(0);
      }
      left.close();
    }
    // Audio that was released is gone.
    expect(await audioNames(path)).not.toContain('0.audio');
  });

  test('is a directory that its owner only may read, and never replaces anything', async () => {
    const options = await newOptions();
    const spool = openSpool(options);
    spool.store.append(chunkAt(0, 5));
    expect(statSync(options.path).mode & 0o777).toBe(0o700);
    for (const name of await readdir(options.path)) {
      expect(statSync(join(options.path, name)).mode & 0o777).toBe(0o600);
    }
    expect(() => openSpool(options)).toThrow(/the path exists\. Finish it with `rxscribe resume/);
    spool.close();
    expect(() => openSpool(options)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  test.each([['the directory'], ['notes.log']])(
    'is refused when others may have written it: %s',
    async name => {
      const options = await newOptions();
      openSpool(options).close();
      const path = name === 'notes.log' ? notesOf(options.path) : options.path;
      const { mode } = statSync(path);
      chmodSync(path, mode | 0o020);
      expect(() => readSpool(options.path)).toThrow(/other users can write to it/);
      chmodSync(path, mode);
      // Only the superuser can give a file away.
      if (process.geteuid!() === 0) {
        chownSync(path, 1234, 1234);
        expect(() => readSpool(options.path)).toThrow(/it belongs to another user/);
        chownSync(path, 0, 0);
      }
      readSpool(options.path).finish();
    },
  );

  test('belongs to the process that writes it, until that leaves it or has ended', async () => {
    const options = await newOptions();
    const spool = openSpool(options);
    expect(() => readSpool(options.path)).toThrow(
      expect.objectContaining({
        code: 'invalid-state',
        message: expect.stringContaining(`process ${process.pid}`),
      }),
    );
    spool.close();
    const left = readSpool(options.path);
    expect(() => readSpool(options.path)).toThrow(/is using it/);
    left.finish();
  });

  test('reports a full disk, and has all earlier records and the frames that fit', async () => {
    const path = await newPath();
    const frames = 2000;
    const { chunks, notes, error } = await writeUntilFull({ path, frames });
    expect(error).toMatch(/^store: Cannot write spool '.*talk\.spool': file too large\.$/);
    const left = readSpool(path);
    expect(notes).toBeGreaterThan(50);
    expect(left.notes).toHaveLength(notes);
    // And the frame for which there was room.
    expect(left.store.headFrame).toBe(chunks * frames + 1);
    expect(left.store.read(0, 1e9)).toEqual(chunkAt(0, chunks * frames + 1));
    left.finish();
  });

  test('refuses audio and notes once it is finished or left', async () => {
    const options = await newOptions();
    const spool = openSpool(options);
    spool.finish();
    spool.close();
    spool.finish();
    expect(() => spool.note(noteAt(0))).toThrow(/it is closed/);
    expect(() => spool.store.append(chunkAt(0, 5))).toThrow(/closed/);
    expect(await readdir(dirname(options.path))).toEqual([]);
  });

  test('is removed without what is not its own', async () => {
    const options = await newOptions();
    openSpool(options).close();
    writeFileSync(join(options.path, 'talk.txt'), 'mine');
    expect(() => removeSpool(options.path)).toThrow(expect.objectContaining({ code: 'store' }));
    expect(await readdir(options.path)).toEqual(['talk.txt']);
    removeSpool(`${options.path}.gone`);
  });
});

describe('the audio of a spool', () => {
  const newStore = async () => {
    const directory = await temporaryDirectory();
    return { directory, store: new PartStore(format, new AudioFiles(directory, 2, 100)) };
  };

  test('is in as many files as it needs, of which those without needed audio are deleted', async () => {
    const { directory, store } = await newStore();
    store.keep({ startFrame: 110, endFrame: 180 });
    for (let at = 0; at < 1000; at++) {
      store.append(chunkAt(at * 5, 5));
      store.release(at * 5 - 50);
      const files = await audioNames(directory);
      const sizes = files.map(name => statSync(join(directory, name)).size);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3 * 100 + 3 * 100);
    }
    expect(store.read(110, 70)).toEqual(chunkAt(110, 70));
    expect(store.read(4950, 100)).toEqual(chunkAt(4950, 50));
    store.letGo({ startFrame: 110, endFrame: 180 });
    store.release(5000);
    expect(await audioNames(directory)).toEqual(['4950.audio']);
    store.close();
    expect(new PartStore(format, new AudioFiles(directory, 2)).headFrame).toBe(5000);
  });

  test('that is missing in a file causes an error', async () => {
    const { directory, store } = await newStore();
    for (let at = 0; at < 30; at++) store.append(chunkAt(at * 5, 5));
    truncateSync(join(directory, '50.audio'), 20);
    rmSync(join(directory, '100.audio'));
    expect(store.read(0, 50)).toEqual(chunkAt(0, 50));
    for (const frame of [50, 100]) {
      expect(() => store.read(frame, 50)).toThrow(expect.objectContaining({ code: 'store' }));
    }
    store.close();
  });

  test('is refused when its files overlap', async () => {
    const { path } = await newOptions();
    const spool = openSpool({ path, subject, format });
    spool.store.append(chunkAt(0, 10));
    spool.close();
    writeFileSync(join(path, '9.audio'), chunkAt(9, 5).bytes);
    const message = `Cannot read spool '${path}': it is damaged at 9.audio.`;
    expect(() => readSpool(path)).toThrow(expect.objectContaining({ code: 'unreadable-input', message }));
    expect(statSync(join(path, '0.audio')).size).toBe(20);
  });
});

describe('what is not a spool', () => {
  test('is refused, and stays as it is', async () => {
    const path = await newPath();
    mkdirSync(path);
    for (const text of [undefined, '', 'RIFF....WAVEfmt \n', '12345678 {}\n']) {
      if (text !== undefined) appendFileSync(notesOf(path), text);
      expect(() => readSpool(path)).toThrow(
        expect.objectContaining({
          code: 'invalid-argument',
          message: expect.stringContaining('not a spool'),
        }),
      );
      expect(await readdir(path)).toEqual(text === undefined ? [] : ['notes.log']);
    }
    expect(() => readSpool(notesOf(path))).toThrow(/it is not a spool/);
  });

  test('is refused: nothing', () => {
    expect(() => readSpool('/nonexistent/talk.spool')).toThrow(
      expect.objectContaining({
        code: 'unreadable-input',
        message: "Cannot read spool '/nonexistent/talk.spool': no such file or directory.",
      }),
    );
  });
});
