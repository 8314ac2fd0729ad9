import { type FileHandle, open } from 'node:fs/promises';
import { MAX_VARINT_BYTES, type ProtobufField, parseField } from './protobufField.ts';

/** Fields of `ModelProto`, `GraphProto` and `ValueInfoProto` in onnx.proto. */
const GRAPH = 7;
const GRAPH_INPUT = 11;
const NAME = 1;

/** Read at once: nodes are small and many, weights are skipped. */
const WINDOW_BYTES = 16 * 1024;
/** A graph has some thousand nodes and weights; more is not looked at. */
const MAX_FIELDS = 200_000;

/** Bytes from `start` to `end` of a file. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the names of the inputs of an ONNX file, without reading its weights; what is no ONNX file has none. */
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

/** Yields the fields of a message, with their places in the file. */
async function* fieldsOf(file: FileHandle, { start, end }: Span): AsyncGenerator<ProtobufField> {
  const buffer = Buffer.alloc(Math.min(WINDOW_BYTES, end - start));
  let window: Span = { start, end: start };
  let position = start;
  for (let count = 0; position < end && count < MAX_FIELDS; count += 1) {
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
