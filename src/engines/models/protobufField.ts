/** Wire types of protobuf fields. */
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Bytes of the longest varint: 64 bits, seven in a byte. */
export const MAX_VARINT_BYTES = 10;

/** A field of a protobuf message, with its number. */
export interface ProtobufField {
  readonly number: number;
  /** Offset and length of its content in bytes. */
  readonly start: number;
  readonly length: number;
}

/** Returns the fields of a whole message; undefined when it is malformed or truncated. */
export function parseFields(message: Uint8Array): readonly ProtobufField[] | undefined {
  const fields: ProtobufField[] = [];
  for (let offset = 0; offset < message.length; ) {
    const field = parseField(message, offset);
    if (!field || field.start + field.length > message.length) return undefined;
    fields.push(field);
    offset = field.start + field.length;
  }
  return fields;
}

/** Returns the content of a field. */
export function contentOf(message: Uint8Array, { start, length }: ProtobufField): Uint8Array {
  return message.subarray(start, start + length);
}

/** Returns the field at an offset, undefined when there is none. Its content may extend beyond the bytes. */
export function parseField(bytes: Uint8Array, offset: number): ProtobufField | undefined {
  const tag = parseVarint(bytes, offset);
  if (!tag) return undefined;
  const number = Math.floor(tag.value / 8);
  const start = tag.end;
  switch (tag.value % 8) {
    case WIRE.varint: {
      const value = parseVarint(bytes, start);
      return value && { number, start, length: value.end - start };
    }
    case WIRE.fixed64:
      return { number, start, length: 8 };
    case WIRE.bytes: {
      const length = parseVarint(bytes, start);
      return length && { number, start: length.end, length: length.value };
    }
    case WIRE.fixed32:
      return { number, start, length: 4 };
    default:
      return undefined;
  }
}

/** Parses a varint as a double: exact up to 2^53, more than any file has. */
function parseVarint(bytes: Uint8Array, offset: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < MAX_VARINT_BYTES; index += 1) {
    const byte = bytes[offset + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: offset + index + 1 };
  }
  return undefined;
}
