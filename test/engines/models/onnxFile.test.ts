import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { readOnnxMetadata } from '../../../src/engines/models/onnxFile.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { field, onnxFile, varint } from './onnxFile.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  path = join(directory, 'model.onnx');
});

test('returns the written entries behind weights, which it does not read', async () => {
  await writeFile(path, onnxFile({ model_type: 'zipformer2', empty: '', ü: 'ö' }, 300_000));
  expect(Object.fromEntries(await readOnnxMetadata(path))).toEqual({
    model_type: 'zipformer2',
    empty: '',
    ü: 'ö',
  });
});

test('finds metadata behind more than 4 GiB', async () => {
  const weights = 5 * 1024 ** 3;
  const file = await open(path, 'w');
  const head = Buffer.from([...varint(7 * 8 + 2), ...varint(weights)]);
  await file.write(head, 0, head.length, 0);
  const tail = field(14, Buffer.concat([field(1, 'model_type'), field(2, 'late')]));
  await file.write(tail, 0, tail.length, head.length + weights);
  await file.close();
  expect((await readOnnxMetadata(path)).get('model_type')).toBe('late');
});

test.each([
  ['an empty file', ''],
  [
    'a pointer that git left in place of the file',
    'version https://git-lfs.github.com/spec/v1\noid sha256:00\n',
  ],
  ['a web page', '<!DOCTYPE html><html><body>Not found</body></html>'],
])('rejects %s', async (_, content) => {
  await writeFile(path, content);
  await expect(readOnnxMetadata(path)).rejects.toMatchObject(errorLike('engine-missing', "model.onnx': "));
});

test('reports a truncated file', async () => {
  await writeFile(path, onnxFile({ model_type: 'zipformer2' }).subarray(0, 5000));
  await expect(readOnnxMetadata(path)).rejects.toThrow('truncated');
});

test('returns metadata or its own error for any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async bytes => {
      await writeFile(path, bytes);
      const read = await readOnnxMetadata(path).catch(error => error);
      expect(read instanceof Map || read.code === 'engine-missing').toBe(true);
    }),
    { numRuns: 200 },
  );
});
