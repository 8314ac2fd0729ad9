import { type FileHandle, open } from 'node:fs/promises';
import { RxscribeError } from '../../base/errors.ts';
import { MAX_VARINT_BYTES, type ProtobufField, parseField } from './protobufField.ts';

/** Fields of `ModelProto` and `StringStringEntryProto` in onnx.proto. */
const METADATA_PROPS = 14;
const KEY = 1;
const VALUE = 2;

/** Limit of fields: a model has some ten. */
const MAX_FIELDS = 10_000;
/** Limit of the size of an entry: longer ones, such as vocabularies, are skipped. */
const MAX_ENTRY_BYTES = 64 * 1024;

/**
 * Reads the `metadata_props` of an ONNX file without its weights.
 *
 * Entries of more than 64 KiB are omitted.
 *
 * @throws RxscribeError `engine-missing` when the file is not an ONNX file, or truncated
 */
export async function readOnnxMetadata(path: string): Promise<ReadonlyMap<string, string>> {
  const file = await open(path);
  try {
    return await metadataIn(file, path);
  } finally {
    await file.close();
  }
}

async function metadataIn(file: FileHandle, path: string): Promise<ReadonlyMap<string, string>> {
  const { size } = await file.stat();
  const metadata = new Map<string, string>();
  const malformed = (why: string) =>
    new RxscribeError('engine-missing', `Cannot read the model '${path}': ${why}.`);
  let position = 0;
  if (size === 0) throw malformed('the file is empty');
  for (let fields = 0; position < size; fields += 1) {
    // Tag and length are at most two varints.
    const head = await readAt(file, position, 2 * MAX_VARINT_BYTES);
    const field = parseField(head, 0);
    if (!field || field.number === 0 || fields === MAX_FIELDS) throw malformed('it is not an ONNX file');
    const start = position + field.start;
    position = start + field.length;
    if (position > size) throw malformed('the file is truncated');
    if (field.number !== METADATA_PROPS || field.length > MAX_ENTRY_BYTES) continue;
    const entry = parseEntry(await readAt(file, start, field.length));
    if (!entry) throw malformed('its metadata cannot be read');
    metadata.set(...entry);
  }
  return metadata;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function parseEntry(bytes: Uint8Array): [key: string, value: string] | undefined {
  const texts = new Map<number, string>();
  for (let offset = 0; offset < bytes.length; ) {
    const field = parseField(bytes, offset);
    if (!field || field.start + field.length > bytes.length) return undefined;
    offset = field.start + field.length;
    texts.set(field.number, new TextDecoder().decode(bytes.subarray(field.start, offset)));
  }
  const key = texts.get(KEY);
  return key === undefined ? undefined : [key, texts.get(VALUE) ?? ''];
}

/** Fields of `ModelProto`, `GraphProto` and `ValueInfoProto` in onnx.proto. */
const GRAPH = 7;
const GRAPH_INPUT = 11;
const NAME = 1;

/** Bytes of a read: nodes are small and many, weights are skipped. */
const WINDOW_BYTES = 16 * 1024;
/** Limit of fields: a graph has some thousand nodes and weights. */
const MAX_GRAPH_FIELDS = 200_000;

/** Bytes from `start` to `end` of a file. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the names of the inputs of an ONNX file without reading its weights; empty for other files. */
export async function readOnnxInputs(path: string): Promise<readonly string[]> {
  await using file = await open(path);
  const { size } = await file.stat();
  const names: string[] = [];
  for await (const graph of fieldsOf(file, { start: 0, end: size })) {
    if (graph.number !== GRAPH) continue;
    for await (const input of fieldsOf(file, spanOf(graph))) {
      if (input.number !== GRAPH_INPUT) continue;
      for await (const field of fieldsOf(file, spanOf(input))) {
        if (field.number !== NAME || field.length > WINDOW_BYTES) continue;
        const { buffer } = await file.read(Buffer.alloc(field.length), 0, field.length, field.start);
        names.push(buffer.toString('utf8'));
      }
    }
  }
  return names;
}

/** Yields the fields of a message with their positions in the file. */
async function* fieldsOf(file: FileHandle, { start, end }: Span): AsyncGenerator<ProtobufField> {
  const buffer = Buffer.alloc(Math.min(WINDOW_BYTES, end - start));
  let window: Span = { start, end: start };
  let position = start;
  for (let count = 0; position < end && count < MAX_GRAPH_FIELDS; count += 1) {
    // Tag and length are at most two varints.
    if (position + 2 * MAX_VARINT_BYTES > window.end && window.end < end) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      window = { start: position, end: position + bytesRead };
    }
    const field = parseField(buffer.subarray(0, window.end - window.start), position - window.start);
    if (!field || field.number === 0) return;
    const found = { ...field, start: window.start + field.start };
    position = found.start + found.length;
    if (position > end) return;
    yield found;
  }
}

function spanOf({ start, length }: ProtobufField): Span {
  return { start, end: start + length };
}
