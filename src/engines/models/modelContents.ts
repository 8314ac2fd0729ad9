import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { readOnnxInputs, readOnnxMetadata } from './onnxFile.ts';

/** What rules ask about the files of a directory; names are relative to it. */
export interface ModelContents {
  readonly names: readonly string[];
  /** The first name that matches. */
  first(pattern: RegExp): string | undefined;
  /**
   * An ONNX file by its stem, such as `encoder` or `onnx/model`: the int8 variant where there is one, since it is a
   * third the size and runs faster at next to the same accuracy.
   */
  onnx(stem: string, prefer?: 'int8' | 'full'): string | undefined;
  /** Stems of the ONNX files that match, without what tells their variant. */
  stems(pattern: RegExp): readonly string[];
  metadata(name: string): Promise<ReadonlyMap<string, string>>;
  /** Names of the inputs of an ONNX file. */
  inputs(name: string): Promise<readonly string[]>;
  /** A JSON object of up to 1 MiB; undefined when the file is none. */
  json(name: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Absolute. */
  path(name: string): string;
}

/** By their endings: those of sherpa-onnx after a dot, those of Hugging Face after an underscore. */
const VARIANTS = {
  int8: ['.int8.onnx', '_quantized.onnx', '_int8.onnx', '_uint8.onnx'],
  full: ['.onnx'],
  half: ['.fp16.onnx', '_fp16.onnx'],
} as const;
const VARIANT_ENDINGS = [...VARIANTS.int8, ...VARIANTS.half, ...VARIANTS.full];

const MAX_JSON_BYTES = 1024 * 1024;

/** Looks into a directory whose file names are known; each file's metadata is read once. */
export function modelContents(directory: string, names: readonly string[]): ModelContents {
  const known = new Set(names);
  const metadata = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const path = (name: string) => join(directory, name);
  return {
    names,
    path,
    first: pattern => names.find(name => pattern.test(name)),
    onnx(stem, prefer = 'int8') {
      const order = prefer === 'int8' ? ['int8', 'full', 'half'] : ['full', 'int8', 'half'];
      const endings = order.flatMap(variant => VARIANTS[variant as keyof typeof VARIANTS]);
      return endings.map(ending => stem + ending).find(name => known.has(name));
    },
    stems(pattern) {
      const stems = names.map(stemOf).filter(stem => stem !== undefined);
      return [...new Set(stems)].filter(stem => pattern.test(stem));
    },
    metadata(name) {
      const read = metadata.get(name) ?? readOnnxMetadata(path(name));
      metadata.set(name, read);
      return read;
    },
    inputs: name => readOnnxInputs(path(name)),
    json: async name => (known.has(name) ? parseObject(await readStart(path(name))) : undefined),
  };
}

function stemOf(name: string): string | undefined {
  const ending = VARIANT_ENDINGS.find(candidate => name.endsWith(candidate));
  return ending && name.slice(0, -ending.length);
}

async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(MAX_JSON_BYTES);
    const { bytesRead } = await file.read(buffer, 0, MAX_JSON_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
