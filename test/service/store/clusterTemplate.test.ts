import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { clusterTemplate } from '../../../src/service/store/clusterTemplate.ts';
import { openPglite } from '../../../src/service/store/pglite.ts';
import { openStore } from '../../../src/service/store/store.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

test('an empty database is kept as a template, which only its owner can read', { tags: 'slow' }, async () => {
  const directory = join(await temporaryDirectory(), 'cache');
  const template = clusterTemplate('a', directory);
  expect(await template.read()).toBeUndefined();
  const made = await openPglite();
  await template.write(await made.dumpDataDir('gzip'));
  await made.close();
  expect(readdirSync(directory)).toEqual(['a.tar.gz']);
  expect(statSync(join(directory, 'a.tar.gz')).mode & 0o777).toBe(0o600);

  const loaded = await openPglite(undefined, (await template.read())!);
  onTestFinished(() => loaded.close());
  expect((await loaded.query('select 6 * 7 as answer')).rows).toEqual([{ answer: 42 }]);
});

test('a template that is damaged is none', { tags: 'slow' }, async () => {
  const directory = await temporaryDirectory();
  const template = clusterTemplate('a', directory);
  await template.write(new Blob(['no archive']));
  expect(await template.read()).toBeUndefined();
  writeFileSync(join(directory, 'a.tar.gz'), Buffer.from('1f8b08000000000000', 'hex'));
  expect(await template.read()).toBeUndefined();
});

test('a directory that cannot be written is passed over', async () => {
  const file = join(await temporaryDirectory(), 'file');
  writeFileSync(file, '');
  await clusterTemplate('a', join(file, 'below')).write(new Blob(['x']));
});

test('a store in memory is gone when it is closed, also when somebody still writes to it', async () => {
  const store = openStore({ clock: systemClock, onError: console.error });
  const { objects } = await store.opened;
  const directory = dirname(dirname(objects.spoolDirectory));
  const upload = join(objects.spoolDirectory, 'upload');
  writeFileSync(upload, 'words');
  const written = Promise.all([objects.put('jobs/a', 'words'), objects.adopt('jobs/b', upload)]);
  await store.close();
  await written;
  await expect(objects.put('jobs/c', 'words')).rejects.toMatchObject({ code: 'store' });
  expect(existsSync(directory)).toBe(false);
});
