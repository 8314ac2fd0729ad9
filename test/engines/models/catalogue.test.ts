import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { MODEL_ROLES } from '../../../src/base/models.ts';
import type { CatalogueModel } from '../../../src/engines/models/catalogue.ts';
import { CATALOGUE, PAIRED_MODEL, SMALL_MODEL } from '../../../src/engines/models/catalogue.ts';
import { readCatalogue } from '../../../src/engines/models/readCatalogue.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { errorLike } from '../../helpers/errorLike.ts';

let file: string;
let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  file = join(directory, 'models.json');
});

const OWN: CatalogueModel = {
  name: 'silero-vad',
  roles: ['voiceDetector'],
  languages: [],
  licence: 'MIT',
  files: [{ name: 'a.onnx', url: 'https://example.org/a.onnx', bytes: 1, sha256: '0'.repeat(64) }],
};

function withPath(path: string): CatalogueModel {
  return { ...PAIRED_MODEL, files: PAIRED_MODEL.files.slice(0, 1).map(each => ({ ...each, path })) };
}

describe('the catalogue', () => {
  test('has the form of its schema', async () => {
    await writeFile(file, JSON.stringify(CATALOGUE));
    expect(await readCatalogue(file)).toEqual(CATALOGUE);
  });

  test('has each name once', () => {
    const names = CATALOGUE.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(8);
  });

  test('has in the default model the files of the two models alone', () => {
    const sums = (name: string) =>
      CATALOGUE.find(model => model.name === name)!.files.map(({ sha256 }) => sha256);
    expect(sums(PAIRED_MODEL.name)).toEqual([...sums('moonshine-base-en'), ...sums(SMALL_MODEL.name)]);
  });

  test('has a model for every role', () => {
    expect(new Set(CATALOGUE.flatMap(({ roles }) => roles)).size).toBe(MODEL_ROLES.length);
  });

  test("gives way to a model of the same name in the user's file", async () => {
    await writeFile(file, JSON.stringify([OWN]));
    const catalogue = await readCatalogue(file);
    expect(catalogue).toHaveLength(CATALOGUE.length);
    expect(catalogue[0]).toEqual(OWN);
  });

  const [OWN_FILE] = OWN.files;
  test.each([
    ['a name that leads elsewhere', { ...OWN, name: '../models' }],
    ['a hidden name', { ...OWN, name: '.ssh' }],
    ['a file that leads elsewhere', { ...OWN, files: [{ ...OWN_FILE, name: 'a/../../b' }] }],
    ['a plain address', { ...OWN, files: [{ ...OWN_FILE, url: 'http://example.org/a' }] }],
    ['an address that is none', { ...OWN, files: [{ ...OWN_FILE, url: 'https://' }] }],
    [
      'an address with a password',
      { ...OWN, files: [{ ...OWN_FILE, url: 'https://me:secret@example.org/a' }] },
    ],
    ['two files of one name', { ...OWN, files: [OWN_FILE, { ...OWN_FILE, name: 'A.onnx' }] }],
    ['a file without an address', { ...OWN, files: [{ ...OWN_FILE, url: undefined }] }],
    ['a package and a file that is not in it', { ...OWN, package: PAIRED_MODEL.package }],
    [
      'a package that anybody may change',
      {
        ...PAIRED_MODEL,
        package: { ...PAIRED_MODEL.package, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
      },
    ],
    [
      'a package that is an address',
      { ...PAIRED_MODEL, package: { ...PAIRED_MODEL.package, name: 'https://example.org/a.tgz' } },
    ],
    ['a range of packages', { ...PAIRED_MODEL, package: { ...PAIRED_MODEL.package, version: '^1.0.0' } }],
    ['a path out of its package', withPath('a/../../b')],
    ['a path above its package', withPath('../b')],
    ['an absolute path in its package', withPath('/b')],
    ['no checksum', { ...OWN, files: [{ ...OWN_FILE, sha256: undefined }] }],
    ['an unknown role', { ...OWN, roles: ['cook'] }],
  ])("rejects a user's model with %s", async (_, model) => {
    await writeFile(file, JSON.stringify([model]));
    const failure = await readCatalogue(file).catch(error => error);
    expect(failure.code).toBe('invalid-argument');
    expect(failure.message).not.toContain('secret');
  });

  test('rejects two models of one name', async () => {
    await writeFile(file, JSON.stringify([OWN, { ...OWN, licence: 'other' }]));
    await expect(readCatalogue(file)).rejects.toMatchObject(
      errorLike('invalid-argument', "it has 'silero-vad' twice"),
    );
  });

  test.each(['none', '{"a":', '{}'])('rejects a file with %s', async text => {
    await writeFile(file, text);
    await expect(readCatalogue(file)).rejects.toMatchObject({ code: 'invalid-argument' });
  });
});
