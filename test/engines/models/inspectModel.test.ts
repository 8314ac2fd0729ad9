import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { onnxFile, onnxGraphFile } from './onnxFile.ts';

let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
});

type Metadata = Readonly<Record<string, string>>;
/** Names of the inputs of a graph. */
type Inputs = readonly string[];
type Content = Metadata | Inputs | string;

/** Files by name: metadata or inputs make an ONNX file, text a text file. */
async function put(files: Readonly<Record<string, Content>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contentOf(content));
  }
}

function contentOf(content: Content): Uint8Array | string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? onnxGraphFile(content) : onnxFile(content as Metadata);
}

async function inspect() {
  const { kind, roles, files } = await inspectModel(directory);
  const names = Object.entries(files).map(([what, path]) => [what, relative(directory, path)]);
  return { kind, roles, files: Object.fromEntries(names) };
}

/** A directory as published, with the expected kind, roles and some of the files. */
interface PublishedModel {
  readonly what: string;
  readonly put: Readonly<Record<string, Content>>;
  readonly kind: string;
  readonly roles?: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

const PUBLISHED: readonly PublishedModel[] = JSON.parse(
  readFileSync(new URL('modelDirectories.json', import.meta.url), 'utf8'),
);
const CASES: readonly PublishedModel[] = [
  ...PUBLISHED,
  {
    what: 'a model whose vocabulary in the metadata is too long to keep',
    put: {
      'model.onnx': { vocabulary: 'word|'.repeat(100_000), model_type: 'zipformer2_ctc' },
      'tokens.txt': '',
    },
    kind: 'offline-zipformer-ctc',
    files: { model: 'model.onnx', tokens: 'tokens.txt' },
  },
];

test.each(CASES)('identifies $what', async ({ put: files, kind, roles = ['recognizer'], files: found }) => {
  await put(files);
  expect(await inspect()).toEqual({ kind, roles, files: found });
});

describe('an unknown directory', () => {
  test('is reported when it is missing, with the command that lists models', async () => {
    await expect(inspectModel(join(directory, 'none'))).rejects.toMatchObject(
      errorLike('engine-missing', /Cannot read the model directory '.*none'.*rxscribe model list/),
    );
  });

  test('is reported when it is empty', async () => {
    await expect(inspectModel(directory)).rejects.toMatchObject(errorLike('engine-missing', directory));
  });

  test('lists the files that are there and those that are supported', async () => {
    await put({ 'encoder.onnx': {}, 'decoder.onnx': {}, 'notes.txt': '' });
    await expect(inspectModel(directory)).rejects.toMatchObject(
      errorLike(
        'engine-missing',
        /contains decoder.onnx, encoder.onnx, notes.txt. The supported models.*joiner/s,
      ),
    );
  });

  test('does not accept a Whisper of one language as an identifier of languages', async () => {
    await put({
      'onnx/encoder_model.onnx': {},
      'onnx/decoder_model.onnx': {},
      'config.json': '{}',
      'generation_config.json': '{}',
    });
    await expect(inspectModel(directory)).rejects.toMatchObject({ code: 'engine-missing' });
  });

  test.each([
    ['takes features', { 'encoder_model.onnx': ['input_features'] }],
    ['is no graph at all', { 'encoder_model.onnx': {} }],
    [
      'is of another family',
      { 'encoder_model.onnx': ['input_values'], 'config.json': '{"model_type":"other"}' },
    ],
  ])('does not accept Moonshine when its encoder %s', async (_, files) => {
    await put({ ...files, 'decoder_model_merged.onnx': {} });
    await expect(inspectModel(directory)).rejects.toMatchObject({ code: 'engine-missing' });
  });
});

test('accepts links to files, as in the cache of Hugging Face', async () => {
  await put({ 'blobs/abc': '' });
  await writeFile(join(directory, 'blobs/abc'), onnxFile());
  await symlink(join(directory, 'blobs/abc'), join(directory, 'silero_vad.onnx'));
  expect(await inspect()).toMatchObject({ kind: 'silero-vad' });
});
