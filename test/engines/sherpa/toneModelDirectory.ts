import { join } from 'node:path';
import type { ModelDirectory, ModelKind } from '../../../src/engines/models/modelDirectory.ts';
import { modelFiles } from '../../helpers/toneModels.ts';

const NAMES: Readonly<Record<string, string>> = {
  tokens: 'tokens.txt',
  bpe: 'bpe.model',
  bpeVocab: 'bpe.vocab',
};

/** A model directory of files by what they are; goes with the handle. */
export async function toneModelDirectory(
  kind: ModelKind,
  files: Readonly<Record<string, Buffer | string>>,
): Promise<AsyncDisposable & ModelDirectory> {
  const named = Object.entries(files).map(([role, content]) => [fileName(role), content] as const);
  const directory = await modelFiles(Object.fromEntries(named));
  const paths = Object.keys(files).map(role => [role, join(directory.path, fileName(role))] as const);
  return {
    path: directory.path,
    kind,
    roles: ['recognizer'],
    files: Object.fromEntries(paths),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

function fileName(role: string): string {
  return NAMES[role] ?? `${role}.onnx`;
}
