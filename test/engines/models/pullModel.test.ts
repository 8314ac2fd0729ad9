import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CatalogueModel } from '../../../src/engines/models/catalogue.ts';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import { lockModel } from '../../../src/engines/models/lockModel.ts';
import { findFaults, modelState } from '../../../src/engines/models/modelState.ts';
import { pullModel } from '../../../src/engines/models/pullModel.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { sha256 } from './fileServer.ts';
import { onnxFile } from './onnxFile.ts';

const CONTENTS: Readonly<Record<string, Buffer>> = {
  'model.int8.onnx': Buffer.from(onnxFile({ model_type: 'sense_voice_ctc' })),
  'tokens.txt': Buffer.from('<blk> 0\na 1\n'),
};
const MODEL: CatalogueModel = {
  name: 'tiny',
  roles: ['recognizer'],
  languages: ['en'],
  licence: 'MIT',
  files: Object.entries(CONTENTS).map(([name, content]) => ({
    name,
    url: `https://nowhere.invalid/${name}`,
    bytes: content.length,
    sha256: sha256(content),
  })),
};

let modelsDirectory: string;
beforeEach(async () => {
  modelsDirectory = await mkdtemp(join(tmpdir(), 'rxscribe-pull-'));
});
afterEach(() => rm(modelsDirectory, { recursive: true }));

async function mirror(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const { url } = await httpServer((request, response) => {
    asked.push(request.url!);
    const content = CONTENTS[request.url!.split('/').at(-1)!];
    response.writeHead(content ? 200 : 404).end(content);
  });
  return { url: `${url}/copies`, asked };
}

test('a model comes from a mirror that is laid out as a models directory, and can be told', async () => {
  const { url, asked } = await mirror();
  const progress: number[] = [];
  const onProgress = (fraction: number) => progress.push(fraction);
  const directory = await pullModel(MODEL, { modelsDirectory, mirror: url, onProgress });
  expect(asked).toEqual(['/copies/tiny/model.int8.onnx', '/copies/tiny/tokens.txt']);
  expect(await inspectModel(directory)).toMatchObject({ kind: 'offline-sense-voice' });
  expect(await modelState(MODEL, modelsDirectory)).toBe('installed');
  expect(progress.at(-1)).toBe(1);
  expect(await readdir(directory)).toEqual(['model.int8.onnx', 'tokens.txt']);
});

test('only what is missing or broken is fetched again', async () => {
  const { url, asked } = await mirror();
  const directory = await pullModel(MODEL, { modelsDirectory, mirror: url });
  const broken = randomBytes(CONTENTS['tokens.txt']!.length);
  await writeFile(join(directory, 'tokens.txt'), broken);
  expect(await findFaults(MODEL, modelsDirectory)).toMatchObject([
    { file: { name: 'tokens.txt' }, fault: 'corrupt' },
  ]);
  asked.length = 0;
  await pullModel(MODEL, { modelsDirectory, mirror: url });
  expect(asked).toEqual(['/copies/tiny/tokens.txt']);
  expect(await findFaults(MODEL, modelsDirectory)).toEqual([]);
});

test('a model of which a file is missing does not count', async () => {
  const { url } = await mirror();
  const files = [...MODEL.files, { ...MODEL.files[0]!, name: 'gone.onnx' }];
  const model = { ...MODEL, files };
  await expect(pullModel(model, { modelsDirectory, mirror: url })).rejects.toMatchObject({
    code: 'download',
  });
  expect(await modelState(model, modelsDirectory)).toBe('partial');
});

test('a model for which there is no room is not begun', async () => {
  const { url, asked } = await mirror();
  const model = { ...MODEL, files: [{ ...MODEL.files[0]!, bytes: 2 ** 60 }] };
  await expect(pullModel(model, { modelsDirectory, mirror: url })).rejects.toThrow('wanted room');
  expect(asked).toEqual([]);
});

test.each(['ftp://example.org', 'nowhere', 'https://user:secret@example.org', 'https://example.org/?a=b'])(
  'a mirror cannot be %s',
  async address => {
    const failure = await pullModel(MODEL, { modelsDirectory, mirror: address }).catch(error => error);
    expect(failure.code).toBe('invalid-argument');
    expect(failure.message).not.toContain('secret');
  },
);

test('a process that pulls keeps others out', async () => {
  const { url, asked } = await mirror();
  await using _lock = await lockModel(modelsDirectory, 'tiny');
  await expect(pullModel(MODEL, { modelsDirectory, mirror: url })).rejects.toThrow(`process ${process.pid}`);
  expect(asked).toEqual([]);
});
