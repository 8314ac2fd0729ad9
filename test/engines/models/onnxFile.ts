/** Bytes of a varint, as protobuf writes them. */
export function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}

/** A field of a protobuf message that holds bytes. */
export function field(number: number, content: Uint8Array | string): Uint8Array {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
}

const IR_VERSION = Buffer.from([0x08, 0x08]);
const PRODUCER = 2;
const GRAPH = 7;
const METADATA_PROPS = 14;

/** An ONNX file with this metadata, and bytes where its weights would be. */
export function onnxFile(metadata: Readonly<Record<string, string>> = {}, weightBytes = 10_000): Uint8Array {
  return Buffer.concat([
    IR_VERSION,
    field(PRODUCER, 'test'),
    field(GRAPH, new Uint8Array(weightBytes).fill(0xff)),
    ...Object.entries(metadata).map(([key, value]) =>
      field(METADATA_PROPS, Buffer.concat([field(1, key), field(2, value)])),
    ),
  ]);
}

const GRAPH_NODE = 1;
const GRAPH_WEIGHTS = 5;
const GRAPH_INPUT = 11;

/** An ONNX file whose graph has nodes, weights and these inputs, in the order in which they are written. */
export function onnxGraphFile(inputs: readonly string[], nodes = 1000, weightBytes = 100_000): Uint8Array {
  const graph = Buffer.concat([
    ...Array.from({ length: nodes }, (_, index) =>
      field(GRAPH_NODE, `node ${index}`.repeat(1 + (index % 40))),
    ),
    field(GRAPH_WEIGHTS, new Uint8Array(weightBytes).fill(0xff)),
    ...inputs.map(name => field(GRAPH_INPUT, field(1, name))),
  ]);
  return Buffer.concat([IR_VERSION, field(PRODUCER, 'test'), field(GRAPH, graph)]);
}
