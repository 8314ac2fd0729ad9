/** Bytes of a WAV file, piece by piece, so that tests can write what no tool writes. */

export const PCM = 1;
export const FLOAT = 3;
export const ALAW = 6;
export const MULAW = 7;

const MEDIA_SUBTYPE = [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71];

export interface FormatFields {
  readonly tag?: number;
  readonly channels?: number;
  readonly rate?: number;
  readonly bits?: number;
  readonly bytesPerFrame?: number;
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** A chunk with its padding; `size` overrides what the header says. */
export function riffChunk(id: string, body: Uint8Array, size = body.length): Uint8Array {
  const header = Buffer.alloc(8);
  header.write(id, 'latin1');
  header.writeUInt32LE(size, 4);
  return concat(header, body, new Uint8Array(body.length % 2));
}

/** The body of a plain format chunk. */
export function formatBody(fields: FormatFields = {}): Uint8Array {
  const { tag = PCM, channels = 1, rate = 16000, bits = 16 } = fields;
  const { bytesPerFrame = channels * Math.ceil(bits / 8) } = fields;
  const body = Buffer.alloc(16);
  body.writeUInt16LE(tag, 0);
  body.writeUInt16LE(channels, 2);
  body.writeUInt32LE(rate, 4);
  body.writeUInt32LE(rate * bytesPerFrame, 8);
  body.writeUInt16LE(bytesPerFrame, 12);
  body.writeUInt16LE(bits, 14);
  return body;
}

/** The body of an extensible format chunk; `guidTail` are the last 14 bytes of the subformat. */
export function extensibleBody(
  fields: FormatFields & { readonly validBits?: number; readonly guidTail?: readonly number[] } = {},
): Uint8Array {
  const { tag = PCM, bits = 16, validBits = bits, guidTail = MEDIA_SUBTYPE } = fields;
  const extension = Buffer.alloc(10);
  extension.writeUInt16LE(22, 0);
  extension.writeUInt16LE(validBits, 2);
  extension.writeUInt16LE(tag, 8);
  return concat(formatBody({ ...fields, tag: 0xfffe }), extension, Uint8Array.from(guidTail));
}

/** The body of a `ds64` chunk, with a table of chunk sizes behind it. */
export function ds64Body(dataBytes: bigint, tableEntries = 0): Uint8Array {
  const body = Buffer.alloc(28 + tableEntries * 12);
  body.writeBigUInt64LE(dataBytes + 72n, 0);
  body.writeBigUInt64LE(dataBytes, 8);
  body.writeUInt32LE(tableEntries, 24);
  return body;
}

/** A file of chunks. */
export function riff(chunks: readonly Uint8Array[], id = 'RIFF', size?: number): Uint8Array {
  const body = concat(Buffer.from('WAVE'), ...chunks);
  const header = Buffer.alloc(8);
  header.write(id, 'latin1');
  header.writeUInt32LE(size ?? body.length, 4);
  return concat(header, body);
}

/** A plain file: format and data. */
export function wav(data: Uint8Array, fields: FormatFields = {}, dataSize?: number): Uint8Array {
  return riff([riffChunk('fmt ', formatBody(fields)), riffChunk('data', data, dataSize)]);
}

/** Two channels of 16 bits of which the second is the inverse of the first. */
export function inverseStereo(mono: Int16Array): Uint8Array {
  return new Uint8Array(Int16Array.from([...mono].flatMap(sample => [sample, -sample])).buffer);
}
