import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clusterTemplate } from '../../src/service/store/clusterTemplate.ts';
import { openPglite } from '../../src/service/store/pglite.ts';
import { temporaryDirectory } from '../helpers/dataDirectory.ts';

test('an empty database is kept as a template, which only its owner can read', async () => {
  const directory = join(await temporaryDirectory(), 'cache');
  const template = clusterTemplate('a', directory);
  expect(await template.read()).toBeUndefined();
  const made = await openPglite();
  await template.write(await made.dumpDataDir('gzip'));
  await made.close();
  expect(readdirSync(directory)).toEqual(['a.tar.gz']);
  expect(statSync(join(directory, 'a.tar.gz')).mode & 0o777).toBe(0o600);

  const loaded = await openPglite(undefined, { loadDataDir: (await template.read())! });
  onTestFinished(() => loaded.close());
  expect((await loaded.query('select 6 * 7 as answer')).rows).toEqual([{ answer: 42 }]);
});

test('a template that is damaged is none', async () => {
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
