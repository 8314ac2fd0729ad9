import { type ProtobufField, parseField } from '../models/protobufField.ts';

/** Fields of `ModelProto` and `SentencePiece` in sentencepiece_model.proto. */
const PIECES = 1;
const PIECE = 1;
const SCORE = 2;

const FLOAT_BYTES = 4;

/** The score of each piece in a model of SentencePiece (`bpe.model`); undefined when the bytes are none. */
export function readPieceScores(bytes: Uint8Array): ReadonlyMap<string, number> | undefined {
  const scores = new Map<string, number>();
  const fields = fieldsOf(bytes);
  for (const { number, content } of fields ?? []) {
    if (number !== PIECES) continue;
    const parts = fieldsOf(content) ?? [];
    const piece = parts.find(part => part.number === PIECE)?.content;
    const score = parts.find(part => part.number === SCORE)?.content;
    if (!piece || (score && score.length !== FLOAT_BYTES)) return undefined;
    // A score of zero is the default and may be left out.
    scores.set(new TextDecoder().decode(piece), score ? floatOf(score) : 0);
  }
  return scores.size > 0 ? scores : undefined;
}

/** All fields of a message; undefined when it is none, or was cut off. */
function fieldsOf(bytes: Uint8Array): readonly { number: number; content: Uint8Array }[] | undefined {
  const fields: { number: number; content: Uint8Array }[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const field: ProtobufField | undefined = parseField(bytes, offset);
    if (!field || field.start + field.length > bytes.length) return undefined;
    offset = field.start + field.length;
    fields.push({ number: field.number, content: bytes.subarray(field.start, offset) });
  }
  return fields;
}

function floatOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, FLOAT_BYTES).getFloat32(0, true);
}
