import { type FileHandle, open } from 'node:fs/promises';
import { RxscribeError } from '../../base/errors.ts';
import { contentOf, MAX_VARINT_BYTES, type ProtobufField, parseField, parseFields } from './protobufField.ts';

/** Numbers of fields in onnx.proto. */
const MODEL = { graph: 7, metadataProps: 14 } as const;
const GRAPH = { input: 11 } as const;
const VALUE_INFO = { name: 1 } as const;
const ENTRY = { key: 1, value: 2 } as const;

/** Limit of fields: a graph has some thousand nodes and weights. */
const MAX_FIELDS = 200_000;
/** Limit of the size of an entry: longer ones, such as vocabularies, are skipped. */
const MAX_ENTRY_BYTES = 64 * 1024;
/** Bytes of a read: nodes are small and many, weights are skipped. */
const WINDOW_BYTES = 16 * 1024;

/**
 * Reads the `metadata_props` of an ONNX file without its weights.
 *
 * Entries of more than 64 KiB are omitted.
 *
 * @throws RxscribeError `engine-missing` when the file is not an ONNX file, or truncated
 */
export async function readOnnxMetadata(path: string): Promise<ReadonlyMap<string, string>> {
  await using file = await open(path);
  const metadata = new Map<string, string>();
  try {
    for await (const entry of contentsAt(file, [MODEL.metadataProps], await wholeOf(file))) {
      metadata.set(...parseEntry(entry));
    }
  } catch (error) {
    if (!(error instanceof MalformedFile)) throw error;
    throw new RxscribeError('engine-missing', `Cannot read the model '${path}': ${error.message}.`);
  }
  return metadata;
}

/** Returns the names of the inputs of an ONNX file without reading its weights; empty for other files. */
export async function readOnnxInputs(path: string): Promise<readonly string[]> {
  await using file = await open(path);
  const names: string[] = [];
  try {
    const way = [MODEL.graph, GRAPH.input, VALUE_INFO.name];
    for await (const name of contentsAt(file, way, await wholeOf(file))) {
      names.push(new TextDecoder().decode(name));
    }
  } catch (error) {
    if (!(error instanceof MalformedFile)) throw error;
  }
  return names;
}

/** Yields the contents of fields, given the number of each message on the way to them; long ones are skipped. */
async function* contentsAt(
  file: FileHandle,
  [number, ...rest]: readonly number[],
  message: Stretch,
): AsyncGenerator<Uint8Array> {
  for await (const field of fieldsOf(file, message)) {
    if (field.number !== number) continue;
    if (rest.length > 0) yield* contentsAt(file, rest, field);
    else if (field.length <= MAX_ENTRY_BYTES) yield await readField(file, field);
  }
}

/** The reason why a file is not an ONNX file. */
class MalformedFile extends Error {}

/** A stretch of a file in bytes. */
type Stretch = Pick<ProtobufField, 'start' | 'length'>;

async function wholeOf(file: FileHandle): Promise<Stretch> {
  const { size } = await file.stat();
  if (size === 0) throw new MalformedFile('the file is empty');
  return { start: 0, length: size };
}

/**
 * Yields the fields of a message with their positions in the file.
 *
 * @throws MalformedFile
 */
async function* fieldsOf(file: FileHandle, { start, length }: Stretch): AsyncGenerator<ProtobufField> {
  const end = start + length;
  let window: Uint8Array = new Uint8Array(0);
  let windowStart = start;
  let position = start;
  for (let count = 0; position < end; count += 1) {
    // Tag and length are at most two varints.
    const windowEnd = windowStart + window.length;
    if (position + 2 * MAX_VARINT_BYTES > windowEnd && windowEnd < end) {
      window = await readField(file, { start: position, length: Math.min(WINDOW_BYTES, end - position) });
      windowStart = position;
    }
    const field = parseField(window, position - windowStart);
    if (!field || field.number === 0 || count === MAX_FIELDS)
      throw new MalformedFile('it is not an ONNX file');
    const found = { ...field, start: windowStart + field.start };
    position = found.start + found.length;
    if (position > end) throw new MalformedFile('the file is truncated');
    yield found;
  }
}

async function readField(file: FileHandle, { start, length }: Stretch): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, start);
  return buffer.subarray(0, bytesRead);
}

function parseEntry(bytes: Uint8Array): [key: string, value: string] {
  const texts = new Map(
    parseFields(bytes)?.map(field => [field.number, new TextDecoder().decode(contentOf(bytes, field))]),
  );
  const key = texts.get(ENTRY.key);
  if (key === undefined) throw new MalformedFile('its metadata cannot be read');
  return [key, texts.get(ENTRY.value) ?? ''];
}
