import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readModelSettings, usedModels, writeModelSettings } from '../../../src/engines/models/usedModels.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { onnxFile } from './onnxFile.ts';

let directory: string;
let settingsFile: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  settingsFile = join(directory, 'config', 'models.json');
});

async function detector(): Promise<string> {
  const path = join(directory, 'vad');
  await mkdir(path);
  await writeFile(join(path, 'silero_vad.onnx'), onnxFile());
  return path;
}

test('no model is used by default', async () => {
  expect(await usedModels(settingsFile)).toEqual({});
});

test('the chosen models are returned with their files', async () => {
  const path = await detector();
  await writeModelSettings({ voiceDetector: path }, settingsFile);
  const used = await usedModels(settingsFile);
  expect(used).toMatchObject({ voiceDetector: { path, kind: 'silero-vad' } });
  expect(Object.keys(used)).toEqual(['voiceDetector']);
});

test('only the user can read the settings', async () => {
  await writeModelSettings({}, settingsFile);
  expect((await stat(settingsFile)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(settingsFile))).mode & 0o777).toBe(0o700);
});

test('settings that cannot be written leave no draft behind', async () => {
  await mkdir(settingsFile, { recursive: true });
  await expect(writeModelSettings({}, settingsFile)).rejects.toThrow('EISDIR');
  expect(await readdir(dirname(settingsFile))).toEqual(['models.json']);
});

test.each([
  ['is gone', 'voiceDetector', 'none'],
  ['is for something else', 'recognizer', 'vad'],
] as const)('a model that %s is an error with a remedy', async (_, role, name) => {
  await detector();
  await writeModelSettings({ [role]: join(directory, name) }, settingsFile);
  await expect(usedModels(settingsFile)).rejects.toMatchObject(
    errorLike('engine-missing', new RegExp(`${name}.*rxscribe model use none`, 's')),
  );
});

test.each(['', '[]', '{"recognizer": 1}', '{"recognizer": "relative/path"}'])(
  'settings of %j are an error that names the file',
  async text => {
    await mkdir(dirname(settingsFile));
    await writeFile(settingsFile, text);
    await expect(readModelSettings(settingsFile)).rejects.toMatchObject(
      errorLike('invalid-argument', settingsFile),
    );
  },
);
