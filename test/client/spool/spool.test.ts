import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OpenSpoolOptions, openSpool, readSpool } from '../../../src/client/spool/openSpool.ts';
import type { ReplayStore, SpoolNote, SpoolSubject } from '../../../src/client/spool/spool.ts';
import { decodeHead, HEAD_BYTES } from '../../../src/client/spool/spoolRecord.ts';
import { headerLine } from '../../../src/client/spool/spoolSchema.ts';
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
const key = randomBytes(32);
const firstLine = headerLine({ format, encrypted: false });
const KEYS = [
  ['plain', undefined],
  ['sealed', key],
] as const;

async function newOptions(more: Partial<OpenSpoolOptions> = {}): Promise<OpenSpoolOptions> {
  return { path: join(await temporaryDirectory(), 'talk.spool'), subject, format, ...more };
}

function noteAt(number: number): SpoolNote {
  return { type: 'event', event: { type: 'silence', ts: number, endTs: number + 1 } };
}

describe.each(KEYS)('a %s spool', (_, key) => {
  test('is a replay store, and keeps the needed audio, however often it is rewritten and left', {
    tags: 'slow',
  }, async () => {
    const directory = await temporaryDirectory();
    const steps = fc.array(fc.oneof({ weight: 9, arbitrary: replaySteps }, fc.constant('leave')), {
      maxLength: 8,
    });
    let runs = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(0, 2, 1000),
        fc.constantFrom(1, 300),
        steps,
        (memorySeconds, spareBytes, parts) => {
          const path = join(directory, `${runs++}.spool`);
          let spool = openSpool({ path, subject, format, key, memorySeconds, spareBytes });
          const model = storeModel();
          const notes: SpoolNote[] = [];
          for (const part of parts) {
            if (part === 'leave') {
              spool.close();
              const left = readSpool(path, { key, memorySeconds, spareBytes });
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
        },
      ),
      { numRuns: 150 },
    );
  });

  test('returns the ranges of audio, its format, and the notes', async () => {
    const options = await newOptions({ key });
    const spool = openSpool(options);
    spool.store.append(chunkAt(0, 15));
    spool.note(noteAt(1));
    spool.store.append(chunkAt(15, 30));
    spool.store.append(chunkAt(60, 5));
    spool.note({ type: 'ended', endFrame: 65 });
    spool.close();
    const left = readSpool(options.path, { key });
    expect(left.format).toEqual(format);
    expect(left.subject).toEqual(subject);
    expect(left.notes).toEqual([noteAt(1), { type: 'ended', endFrame: 65 }]);
    expect(left.audio).toEqual([
      { startFrame: 0, endFrame: 45 },
      { startFrame: 60, endFrame: 65 },
    ]);
    expect(left.store.memoryBytes).toBe(0);
    expect(left.store.read(10, 100)).toEqual(chunkAt(10, 35));
    left.finish();
    expect(() => statSync(options.path)).toThrow(/ENOENT/);
  });

  test('that is cut at any byte has all complete records, and can be continued', {
    tags: 'slow',
  }, async () => {
    const { path } = await newOptions();
    // The writer must be dead, or the spool is its own.
    const { sizes } = await writeAndDie({ path, key: key?.toString('hex'), rounds: 4 });
    const cut = `${path}.cut`;
    const bytes = readFileSync(path);
    expect(sizes).toHaveLength(9);
    expect(sizes.at(-1)).toBe(bytes.length);
    for (let size = 0; size <= bytes.length; size++) {
      writeFileSync(cut, bytes.subarray(0, size));
      const whole = sizes.filter(end => end <= size).length;
      if (whole === 0) {
        expect(() => readSpool(cut, { key })).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
        continue;
      }
      const left = readSpool(cut, { key });
      expect(left.store.headFrame).toBe(Math.ceil((whole - 1) / 2) * 5);
      expect(left.notes).toHaveLength(Math.floor((whole - 1) / 2));
      left.note({ type: 'ended', endFrame: 99 });
      left.close();
      const again = readSpool(cut, { key });
      expect(again.notes).toEqual([...left.notes, { type: 'ended', endFrame: 99 }]);
      expect(again.store.read(0, 100)?.frames ?? 0).toBe(left.store.headFrame);
      again.finish();
    }
  });

  test('is refused with a changed byte anywhere but in its last record', {
    tags: 'slow',
  }, async () => {
    const { path } = await newOptions();
    const { sizes } = await writeAndDie({ path, key: key?.toString('hex'), rounds: 2 });
    const bytes = readFileSync(path);
    readSpool(path, { key }).close();
    const damaged = `${path}.damaged`;
    for (let at = 0; at < sizes.at(-2)!; at++) {
      const copy = Buffer.from(bytes);
      copy[at]! ^= 1 << (at % 8);
      writeFileSync(damaged, copy);
      expect(() => readSpool(damaged, { key }), `byte ${at}`).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(unreadable-input|invalid-argument)$/) }),
      );
      expect(readFileSync(damaged).equals(copy)).toBe(true);
    }
  });

  test.each([
    ['zeros', (end: Buffer) => Buffer.alloc(end.length + 5000)],
    ['a byte that was changed', (end: Buffer) => end.with(20, end[20]! ^ 1)],
    ['a length that was changed', (end: Buffer) => end.with(0, end[0]! ^ 1)],
    ['bytes of no record', (end: Buffer) => Buffer.concat([end.subarray(0, 9), randomBytes(70_000)])],
  ])('loses its last record when that is damaged: %s', async (_, damage) => {
    const { path } = await newOptions();
    const { sizes } = await writeAndDie({ path, key: key?.toString('hex'), rounds: 2 });
    const bytes = readFileSync(path);
    const end = damage(bytes.subarray(sizes.at(-2)!) as Buffer);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, sizes.at(-2)!), end]));
    const left = readSpool(path, { key });
    expect(left.notes).toEqual([noteAt(0)]);
    expect(left.store.read(0, 100)).toEqual(chunkAt(0, 10));
    left.note(noteAt(7));
    left.close();
    const again = readSpool(path, { key });
    expect(again.notes).toEqual([noteAt(0), noteAt(7)]);
    again.finish();
  });

  test('removes the unfinished rewrite of an earlier spool at its path', async () => {
    const options = await newOptions({ key });
    for (const begin of [() => openSpool(options), () => readSpool(options.path, { key })]) {
      writeFileSync(`${options.path}.rewrite`, 'old');
      begin().close();
      expect(await readdir(dirname(options.path))).toEqual(['talk.spool']);
    }
  });

  test('has all acknowledged records after its process is killed, again and again', {
    tags: 'slow',
  }, async () => {
    const { path } = await newOptions();
    const frames = 200;
    const needed = 50;
    const files = new Set<number>();
    let notesBefore = 0;
    for (let round = 0; round < 8; round++) {
      const writing = { path, key: key?.toString('hex'), frames, needed, goOn: round > 0 };
      const { chunks, notes } = await writeUntilKilled(writing);
      files.add(statSync(path).ino);
      const left = readSpool(path, { key });
      expect(left.notes.length).toBeGreaterThanOrEqual(notesBefore + notes);
      expect(left.notes).toEqual(left.notes.map((_, at) => noteAt(at)));
      // Notes beyond those that were acknowledged have chunks that were not, either.
      const earlier = notesBefore;
      notesBefore = left.notes.length;
      const { headFrame } = left.store;
      expect(headFrame).toBeGreaterThanOrEqual((earlier + chunks) * frames);
      const firstFrame = Math.max(0, headFrame - needed * frames);
      for (let frame = firstFrame; frame < headFrame; frame += 1000) {
        const wanted = chunkAt(frame, Math.min(1000, headFrame - frame));
        expect(Buffer.compare(left.store.read(frame, 1000)!.bytes, wanted.bytes)).toBe(0);
      }
      left.close();
    }
    // It was rewritten meanwhile.
    expect(files.size).toBeGreaterThan(1);
  });

  test('accepts audio and notes while it is rewritten', async () => {
    const options = await newOptions({ key, spareBytes: 4000, memorySeconds: 1 });
    const spool = openSpool(options);
    // More than what is copied at a time, then twice as much that is not needed.
    spool.store.keep({ startFrame: 0, endFrame: 2000 });
    for (let at = 0; at < 100; at++) spool.note(noteAt(at));
    spool.store.append(chunkAt(0, 10_000));
    spool.store.release(10_000);
    const { ino } = statSync(options.path);
    let steps = 0;
    for (; statSync(options.path).ino === ino; steps++) {
      expect(steps).toBeLessThan(100);
      spool.store.append(chunkAt(10_000 + steps * 5, 5));
      spool.note(noteAt(100 + steps));
      expect(spool.store.read(steps * 10, 10)).toEqual(chunkAt(steps * 10, 10));
    }
    expect(steps).toBeGreaterThan(2);
    const whole = (store: ReplayStore) => {
      expect(store.read(0, 2000)).toEqual(chunkAt(0, 2000));
      expect(store.read(10_000, 1e9)).toEqual(chunkAt(10_000, steps * 5));
      expect(store.fileBytes).toBeLessThan(25_000);
    };
    whole(spool.store);
    spool.close();
    const left = readSpool(options.path, { key });
    whole(left.store);
    expect(left.notes).toEqual(Array.from({ length: 100 + steps }, (_, at) => noteAt(at)));
    left.finish();
  });

  test('is rewritten without the released audio when that is more than the rest', async () => {
    const spareBytes = 4000;
    const options = await newOptions({ key, spareBytes, memorySeconds: 1 });
    const spool = openSpool(options);
    spool.store.keep({ startFrame: 100, endFrame: 200 });
    for (let at = 0; at < 4000; at++) {
      spool.store.append(chunkAt(at * 5, 5));
      spool.store.release(at * 5 - 50);
      if (at % 100 === 0) spool.note(noteAt(at / 100));
      expect(spool.store.fileBytes).toBe(statSync(options.path).size);
      expect(spool.store.fileBytes).toBeLessThan(2 * 8000 + spareBytes);
    }
    expect(statSync(options.path).mode & 0o777).toBe(0o600);
    spool.close();
    const left = readSpool(options.path, { key });
    expect(left.notes).toEqual(Array.from({ length: 40 }, (_, at) => noteAt(at)));
    expect(left.store.headFrame).toBe(20_000);
    expect(left.store.read(100, 100)).toEqual(chunkAt(100, 100));
    expect(left.store.read(19_950, 100)).toEqual(chunkAt(19_950, 50));
    expect(await readdir(dirname(options.path))).toEqual(['talk.spool']);
    left.finish();
  });

  test('has the head of the source when none of its audio is needed', async () => {
    const options = await newOptions({ key, spareBytes: 1000 });
    const spool = openSpool(options);
    spool.store.append(chunkAt(0, 2000));
    spool.store.release(2000);
    spool.note(noteAt(0));
    expect(spool.store.fileBytes).toBeLessThan(1000);
    spool.close();
    const left = readSpool(options.path, { key });
    expect(left.audio).toEqual([]);
    expect(left.store.headFrame).toBe(2000);
    left.finish();
  });

  test('is refused when it belongs to another user, or others can write to it', async () => {
    const options = await newOptions({ key });
    openSpool(options).close();
    chmodSync(options.path, 0o620);
    expect(() => readSpool(options.path, { key })).toThrow(/other users can write to it/);
    chmodSync(options.path, 0o600);
    // Only the superuser can give a file away.
    if (process.geteuid!() === 0) {
      chownSync(options.path, 1234, 1234);
      expect(() => readSpool(options.path, { key })).toThrow(/it belongs to another user/);
      chownSync(options.path, 0, 0);
    }
    readSpool(options.path, { key }).finish();
  });

  test('is readable by its owner only, and never replaces a file', async () => {
    const options = await newOptions({ key });
    const spool = openSpool(options);
    expect(statSync(options.path).mode & 0o777).toBe(0o600);
    expect(() => openSpool(options)).toThrow(/the file exists\. Finish it with `rxscribe resume/);
    spool.close();
    expect(() => openSpool(options)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  test('belongs to the process that writes it, until that leaves it or has ended', async () => {
    const options = await newOptions({ key });
    const spool = openSpool(options);
    expect(() => readSpool(options.path, { key })).toThrow(
      expect.objectContaining({
        code: 'invalid-state',
        message: expect.stringContaining(`process ${process.pid}`),
      }),
    );
    spool.close();
    const left = readSpool(options.path, { key });
    expect(() => readSpool(options.path, { key })).toThrow(/is still writing to it/);
    left.finish();
  });

  test('reports a full disk, and has all earlier records and the frames that fit', async () => {
    const { path } = await newOptions();
    const frames = 2000;
    const { chunks, notes, error } = await writeUntilFull({ path, frames, key: key?.toString('hex') });
    expect(error).toMatch(/^store: Cannot write spool '.*talk\.spool': file too large\.$/);
    const left = readSpool(path, { key });
    expect(notes).toBeGreaterThan(50);
    expect(left.notes).toHaveLength(notes);
    // And the frame for which there was room.
    expect(left.store.headFrame).toBe(chunks * frames + 1);
    expect(left.store.read(0, 1e9)).toEqual(chunkAt(0, chunks * frames + 1));
    left.finish();
  });

  test('refuses audio and notes once it is finished or left', async () => {
    const options = await newOptions({ key });
    const spool = openSpool(options);
    spool.finish();
    spool.close();
    spool.finish();
    expect(() => spool.note(noteAt(0))).toThrow(/it is closed/);
    expect(() => spool.store.append(chunkAt(0, 5))).toThrow(/closed/);
    expect(await readdir(dirname(options.path))).toEqual([]);
  });
});

describe('a sealed spool', () => {
  test('is required by a reader with a key, which refuses a plain spool', async () => {
    const options = await newOptions();
    openSpool(options).close();
    expect(() => readSpool(options.path, { key })).toThrow(/it is not encrypted, but a key was given/);
    readSpool(options.path).finish();
  });

  test('has no readable content', async () => {
    const options = await newOptions({ key });
    const spool = openSpool(options);
    const secret = Buffer.from('nobody may read this, so it is audio');
    spool.store.append({ startFrame: 0, frames: secret.length / 2, bytes: secret });
    spool.note({
      type: 'job',
      hole: { startFrame: 0, endFrame: 5 },
      jobId: 'AbCdEfGh',
      address: 'https://speech.example',
    });
    const shown = readFileSync(options.path).toString('latin1');
    for (const text of [secret.toString(), 'AbCdEfGh', 'speech.example', 'weekly talk']) {
      expect(shown).not.toContain(text);
    }
    expect(shown).toMatch(/^{"rxscribe":"spool","version":1,"encrypted":true,"format":{.*}}\n/);
    spool.finish();
  });

  test.each([
    ['another key', randomBytes(32), /it was encrypted with another key/],
    ['no key', undefined, /it is encrypted. Pass its key/],
    ['half a key', randomBytes(16), /must have 32 bytes, not 16/],
  ])('is not read with %s', async (_, other, message) => {
    const options = await newOptions({ key });
    openSpool(options).close();
    expect(() => readSpool(options.path, { key: other })).toThrow(message);
    expect(() => readSpool(options.path, { key: other })).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    );
    readSpool(options.path, { key }).finish();
  });
});

describe('the keys of a sealed spool', () => {
  test('are new for each writer and each file, and never reuse a number', async () => {
    const options = await newOptions({ key, spareBytes: 2000 });
    let spool = openSpool(options);
    const salts = new Set<string>();
    const files = new Set<number>();
    for (let at = 0; at < 600; at++) {
      spool.store.append(chunkAt(at * 5, 5));
      spool.store.release(at * 5);
      if (at % 50 === 0) {
        spool.close();
        spool = readSpool(options.path, { key, spareBytes: 2000 });
      }
      files.add(statSync(options.path).ino);
      for (const { salt, numbers } of sectionsOf(options.path)) {
        salts.add(salt);
        expect(new Set(numbers).size).toBe(numbers.length);
      }
    }
    // Each file had writers of its own, whose salts no other had: where they were copied these would be fewer.
    expect(files.size).toBeGreaterThan(1);
    expect(salts.size).toBeGreaterThanOrEqual(13 + files.size - 1);
    spool.finish();
  });
});

/** The salts of a spool, each with the numbers of what was sealed with it. */
function sectionsOf(path: string): { readonly salt: string; readonly numbers: number[] }[] {
  const bytes = readFileSync(path);
  const sections: { readonly salt: string; readonly numbers: number[] }[] = [];
  for (let offset = bytes.indexOf('\n') + 1; offset < bytes.length; ) {
    const { type, number, bodyBytes } = decodeHead(bytes.subarray(offset))!;
    const body = bytes.subarray(offset + HEAD_BYTES, offset + HEAD_BYTES + bodyBytes);
    if (type === 'writer')
      sections.push({ salt: JSON.parse(body.subarray(0, -4).toString()).salt, numbers: [] });
    else if (type !== 'left') sections.at(-1)!.numbers.push(number);
    offset += HEAD_BYTES + bodyBytes;
  }
  return sections;
}

describe('a file that is not a spool', () => {
  test.each([
    ['an empty file', '', /it is not a spool/],
    ['something else', 'RIFF....WAVEfmt \n', /it is not a spool/],
    ['a newer one', '{"rxscribe":"spool","version":2,"format":{}}\n', /it has version 2, not 1/],
    ['only a first line', `${firstLine}`, /it is empty/],
    ['a first line that was changed', firstLine.replace('S16LE', 'S17LE'), /its first line is damaged/],
    ['an impossible rate', firstLine.replace(':10,', ':1e999,'), /its first line is damaged/],
    ['a rate above the limit of services', firstLine.replace(':10,', ':48001,'), /its first line is damaged/],
    ['channels above the limit of services', firstLine.replace('s":1', 's":11'), /its first line is damaged/],
    [
      'a format named like a property of every object',
      firstLine.replace('S16LE', 'constructor'),
      /its first line is damaged/,
    ],
  ])('is refused: %s', async (_, text, message) => {
    const { path } = await newOptions();
    writeFileSync(path, text);
    expect(() => readSpool(path)).toThrow(message);
    expect(() => readSpool(path)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  test('is refused: a file that is not there', () => {
    expect(() => readSpool('/nonexistent/talk.spool')).toThrow(
      /^Cannot create '.*': no such file or directory\.$/,
    );
  });

  test('is refused: a directory', async () => {
    const path = await temporaryDirectory();
    expect(() => readSpool(path)).toThrow(
      expect.objectContaining({
        code: 'unreadable-input',
        message: `Cannot read spool '${path}': illegal operation on a directory.`,
      }),
    );
  });
});
