import { type FileHandle, open } from 'node:fs/promises';
import protobuf from 'protobufjs';
import { RxscribeError } from '../../base/errors.ts';

/** Numbers of fields in onnx.proto. */
const MODEL = { graph: 7, metadataProps: 14 } as const;
const GRAPH = { input: 11 } as const;
const VALUE_INFO = { name: 1 } as const;
const ENTRY = 'syntax = "proto2"; message Entry { required string key = 1; optional string value = 2; }';
const Entry = protobuf.parse(ENTRY).root.lookupType('Entry');
/** Wire types of messages, texts and bytes; of groups, which ONNX has none of. */
const [BYTES_WIRE, GROUP_WIRE] = [2, 3];
/** Bytes of the longest varint: 64 bits, seven in a byte. */
const MAX_VARINT_BYTES = 10;

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
interface Stretch {
  readonly start: number;
  readonly length: number;
}

/** The content of a field of a message, with its number. */
interface ProtobufField extends Stretch {
  readonly number: number;
}

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
  try {
    const { key, value } = Entry.toObject(Entry.decode(bytes), { defaults: true });
    return [key, value];
  } catch {
    throw new MalformedFile('its metadata cannot be read');
  }
}

/** Returns the field at an offset; undefined when there is none. Its content may extend beyond the bytes. */
function parseField(bytes: Uint8Array, offset: number): ProtobufField | undefined {
  const reader = protobuf.Reader.create(bytes);
  reader.pos = offset;
  try {
    const tag = reader.uint32();
    const number = tag >>> 3;
    const start = reader.pos;
    if ((tag & 7) === BYTES_WIRE) {
      const length = Number(reader.uint64());
      return { number, start: reader.pos, length };
    }
    if ((tag & 7) === GROUP_WIRE) return undefined;
    reader.skipType(tag & 7);
    return { number, start, length: reader.pos - start };
  } catch {
    // The bytes end within the field.
    return undefined;
  }
}
