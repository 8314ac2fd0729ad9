import { field } from '../models/onnxFile.ts';

const PIECES = 1;
const TRAINER_SPEC = 2;
/** A score is the fixed32 field 2 of a piece, its type the varint field 3. */
const SCORE_TAG = 0x15;
const NORMAL = [0x18, 1];

/** A `bpe.model` as SentencePiece writes it, of pieces with their scores. */
export function sentencePieceModel(pieces: Readonly<Record<string, number>>): Buffer {
  const entries = Object.entries(pieces).map(([piece, score]) => {
    const float = Buffer.alloc(4);
    float.writeFloatLE(score);
    const parts = [field(1, piece), Buffer.from([SCORE_TAG]), float, Buffer.from(NORMAL)];
    return field(PIECES, Buffer.concat(parts));
  });
  return Buffer.concat([...entries, field(TRAINER_SPEC, Buffer.from(NORMAL))]);
}
