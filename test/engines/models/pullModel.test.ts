import { randomBytes } from 'node:crypto';
import { mkdir, readdir, statfs, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CatalogueModel } from '../../../src/engines/models/catalogue.ts';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import { lockModel } from '../../../src/engines/models/lockModel.ts';
import { findFaults, modelState } from '../../../src/engines/models/modelState.ts';
import { pullModel } from '../../../src/engines/models/pullModel.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { errorLike } from '../../helpers/errorLike.ts';
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
  modelsDirectory = await temporaryDirectory();
});

async function mirror(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const { url } = await httpServer((request, response) => {
    asked.push(request.url!);
    const content = CONTENTS[request.url!.split('/').at(-1)!];
    response.writeHead(content ? 200 : 404).end(content);
  });
  return { url: `${url}/copies`, asked };
}

test('a model comes from a mirror laid out like a models directory', async () => {
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

test('only missing or damaged files are downloaded again', async () => {
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

test('a model with a missing file does not count', async () => {
  const { url } = await mirror();
  const files = [...MODEL.files, { ...MODEL.files[0]!, name: 'gone.onnx' }];
  const model = { ...MODEL, files };
  await expect(pullModel(model, { modelsDirectory, mirror: url })).rejects.toMatchObject({
    code: 'download',
  });
  expect(await modelState(model, modelsDirectory)).toBe('partial');
});

test('a model without enough space is not begun', async () => {
  const { url, asked } = await mirror();
  const model = { ...MODEL, files: [{ ...MODEL.files[0]!, bytes: 2 ** 60 }] };
  await expect(pullModel(model, { modelsDirectory, mirror: url })).rejects.toThrow('free space');
  expect(asked).toEqual([]);
});

test('only the space beyond an earlier attempt is needed', async () => {
  const { bavail, bsize } = await statfs(modelsDirectory);
  const bytes = bavail * bsize + 2 ** 30;
  const { url, asked } = await mirror();
  const model = { ...MODEL, files: [{ ...MODEL.files[0]!, name: 'gone.onnx', bytes }] };
  await mkdir(join(modelsDirectory, 'tiny'));
  const part = join(modelsDirectory, 'tiny', 'gone.onnx.part');
  await writeFile(part, '');
  // Long, and nowhere on the disk.
  await truncate(part, bytes - 1);
  await expect(pullModel(model, { modelsDirectory, mirror: url })).rejects.toThrow('status 404');
  expect(asked).toEqual(['/copies/tiny/gone.onnx']);
});

test('a complete model needs no lock, as in a read-only directory', async () => {
  const { url, asked } = await mirror();
  await pullModel(MODEL, { modelsDirectory, mirror: url });
  asked.length = 0;
  using _lock = lockModel(modelsDirectory, 'tiny');
  expect(await pullModel(MODEL, { modelsDirectory, mirror: url })).toBe(join(modelsDirectory, 'tiny'));
  expect(asked).toEqual([]);
});

test('an unavailable model leaves nothing behind', async () => {
  const { url } = await mirror();
  const model = { ...MODEL, files: [{ ...MODEL.files[0]!, name: 'gone.onnx' }] };
  await expect(pullModel(model, { modelsDirectory, mirror: url })).rejects.toThrow('status 404');
  expect(await readdir(modelsDirectory)).toEqual(['.tiny.lock']);
});

describe('file system errors name the path', () => {
  test('of the models directory', async () => {
    const path = join(modelsDirectory, 'file');
    await writeFile(path, '');
    const { url } = await mirror();
    await expect(pullModel(MODEL, { modelsDirectory: path, mirror: url })).rejects.toMatchObject(
      errorLike('download', new RegExp(`download the model 'tiny': .*EEXIST, mkdir '${path}`)),
    );
  });

  test('of a file', async () => {
    const { url } = await mirror();
    const path = join(modelsDirectory, 'tiny', 'tokens.txt');
    await mkdir(path, { recursive: true });
    await expect(pullModel(MODEL, { modelsDirectory, mirror: url })).rejects.toMatchObject(
      errorLike(
        'download',
        new RegExp(`download the model 'tiny': .*(EISDIR|ENOTEMPTY), rename '${path}.part`),
      ),
    );
  });

  test('of an unreadable file', async () => {
    const path = join(modelsDirectory, 'tiny', 'tokens.txt');
    await mkdir(join(modelsDirectory, 'tiny'));
    await symlink('tokens.txt', path);
    await expect(findFaults(MODEL, modelsDirectory)).rejects.toMatchObject(
      errorLike('unreadable-input', new RegExp(`read the model 'tiny': .*ELOOP, stat '${path}`)),
    );
  });
});

test.each(['ftp://example.org', 'nowhere', 'https://user:secret@example.org', 'https://example.org/?a=b'])(
  'a mirror cannot be %s',
  async address => {
    const failure = await pullModel(MODEL, { modelsDirectory, mirror: address }).catch(error => error);
    expect(failure.code).toBe('invalid-argument');
    expect(failure.message).not.toContain('secret');
  },
);

test('a pulling process keeps others out', async () => {
  const { url, asked } = await mirror();
  using _lock = lockModel(modelsDirectory, 'tiny');
  await expect(pullModel(MODEL, { modelsDirectory, mirror: url })).rejects.toThrow(
    'another process is downloading it',
  );
  expect(asked).toEqual([]);
});
