import { type FileHandle, open } from 'node:fs/promises';
import { RxscribeError } from '../../base/errors.ts';
import { MAX_VARINT_BYTES, parseField } from './protobufField.ts';

/** Fields of `ModelProto` and `StringStringEntryProto` in onnx.proto. */
const METADATA_PROPS = 14;
const KEY = 1;
const VALUE = 2;

/** A model has some ten fields; more is no model. */
const MAX_FIELDS = 10_000;
/** Entries that are longer, such as a whole vocabulary, are not kept. */
const MAX_ENTRY_BYTES = 64 * 1024;

/**
 * The `metadata_props` of an ONNX file, without its weights being read.
 *
 * Entries of more than 64 KiB are left out.
 *
 * @throws RxscribeError `engine-missing` when it is no ONNX file, or one that was cut off
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
    new RxscribeError('engine-missing', `read ${path}: wanted an ONNX model, found ${why}`);
  let position = 0;
  if (size === 0) throw malformed('an empty file');
  for (let fields = 0; position < size; fields += 1) {
    // Tag and length are at most two varints.
    const head = await readAt(file, position, 2 * MAX_VARINT_BYTES);
    const field = parseField(head, 0);
    if (!field || field.number === 0 || fields === MAX_FIELDS) throw malformed('something else');
    const start = position + field.start;
    position = start + field.length;
    if (position > size) throw malformed('one that was cut off');
    if (field.number !== METADATA_PROPS || field.length > MAX_ENTRY_BYTES) continue;
    const entry = parseEntry(await readAt(file, start, field.length));
    if (!entry) throw malformed('metadata that cannot be read');
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
