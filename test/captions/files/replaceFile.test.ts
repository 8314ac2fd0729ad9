import { statSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { replaceFile } from '../../../src/captions/files/replaceFile.ts';
import { writeTranscriptFiles } from '../../../src/captions/files/transcriptFiles.ts';
import { emptyTranscript } from '../../../src/transcript/model/model.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

test('a private file has a private draft', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, 'talk.txt');
  await writeFile(path, 'before', { mode: 0o600 });
  let isDone = false;
  const done = replaceFile(path, 'x'.repeat(32e6)).finally(() => {
    isDone = true;
  });
  const modes = new Set<number>();
  while (!isDone) {
    for (const name of await readdir(directory)) {
      const found = statSync(join(directory, name), { throwIfNoEntry: false });
      if (found && name !== 'talk.txt') modes.add(found.mode & 0o777);
    }
    await setImmediate();
  }
  await done;
  expect([...modes]).toEqual([0o600]);
});

test('a link to a missing file stays a link', async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'elsewhere'));
  await symlink('elsewhere', join(directory, 'other'));
  await symlink('../next.txt', join(directory, 'elsewhere/talk.txt'));
  await symlink('other/talk.txt', join(directory, 'talk.txt'));
  await replaceFile(join(directory, 'talk.txt'), 'words');
  expect(await readlink(join(directory, 'talk.txt'))).toBe('other/talk.txt');
  expect(await readFile(join(directory, 'next.txt'), 'utf8')).toBe('words');
  expect((await readdir(directory)).toSorted()).toEqual(['elsewhere', 'next.txt', 'other', 'talk.txt']);
});

test('a circle of links is an error, and stays as it is', async () => {
  const directory = await temporaryDirectory();
  await symlink('b.txt', join(directory, 'a.txt'));
  await symlink('a.txt', join(directory, 'b.txt'));
  await expect(replaceFile(join(directory, 'a.txt'), 'words')).rejects.toMatchObject({ code: 'ELOOP' });
  expect((await readdir(directory)).toSorted()).toEqual(['a.txt', 'b.txt']);
});

test('a new file may have the longest possible name', async () => {
  const path = join(await temporaryDirectory(), `${'x'.repeat(251)}.txt`);
  await replaceFile(path, 'words');
  expect(await readFile(path, 'utf8')).toBe('words');
});

test('a link in the place of the draft is not followed', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'precious'), 'precious');
  await symlink('precious', join(directory, '.talk.txt.part'));
  await replaceFile(join(directory, 'talk.txt'), 'words');
  expect(await readFile(join(directory, 'precious'), 'utf8')).toBe('precious');
  expect(await readFile(join(directory, 'talk.txt'), 'utf8')).toBe('words');
  expect((await readdir(directory)).toSorted()).toEqual(['precious', 'talk.txt']);
});

test('a file with several names is written once', async () => {
  const directory = await temporaryDirectory();
  await symlink('talk.json', join(directory, 'link.json'));
  const paths = ['talk.json', './talk.json', 'link.json'].map(name => `${directory}/${name}`);
  for (let round = 0; round < 20; round++) await writeTranscriptFiles(paths, emptyTranscript);
  expect(JSON.parse(await readFile(join(directory, 'talk.json'), 'utf8')).monologues).toEqual([]);
  expect((await readdir(directory)).toSorted()).toEqual(['link.json', 'talk.json']);
});
