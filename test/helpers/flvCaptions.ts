import type { FieldBytes } from './sccCaptions.ts';

const [VIDEO_TAG, AVC, NAL_UNITS, SEI] = [9, 7, 1, 6];
/** Bytes before the caption data of a message of supplemental information, by ATSC A/53: country, provider, user data, type. */
const A53 = Buffer.from([0xb5, 0x00, 0x31, ...Buffer.from('GA94'), 0x03]);

/** Returns the bytes of field 1 of CEA-608 in the pictures of an FLV file with H.264. */
export function flvCaptions(file: Buffer): readonly FieldBytes[] {
  const found: FieldBytes[] = [];
  // Each tag has 11 bytes before its data, and its size after them.
  for (let at = file.readUInt32BE(5) + 4; at + 11 <= file.length; ) {
    const data = file.subarray(at + 11, at + 11 + file.readUIntBE(at + 1, 3));
    const isPicture = file[at] === VIDEO_TAG && (data[0]! & 15) === AVC && data[1] === NAL_UNITS;
    // The fourth byte of a time is its highest; a picture is shown later than it is decoded by an offset.
    const ms = file.readUIntBE(at + 4, 3) + file[at + 7]! * 2 ** 24;
    if (isPicture) found.push({ seconds: (ms + data.readIntBE(2, 3)) / 1000, bytes: pictureBytes(data) });
    at += 11 + data.length + 4;
  }
  return found.filter(({ bytes }) => bytes.length > 0);
}

function pictureBytes(data: Buffer): readonly number[] {
  const bytes: number[] = [];
  for (let at = 5; at + 4 < data.length; at += 4 + data.readUInt32BE(at)) {
    const unit = data.subarray(at + 4, at + 4 + data.readUInt32BE(at));
    if ((unit[0]! & 31) === SEI) bytes.push(...messageBytes(unit));
  }
  return bytes;
}

function messageBytes(unit: Buffer): readonly number[] {
  const bytes: number[] = [];
  for (let at = unit.indexOf(A53); at >= 0; at = unit.indexOf(A53, at + 1)) {
    const count = unit[at + A53.length]! & 31;
    const triples = unit.subarray(at + A53.length + 2);
    for (let index = 0; index < 3 * count; index += 3) {
      const [marks, first, second] = triples.subarray(index, index + 3);
      // A valid pair of field 1; the highest bit of a byte is its parity.
      if ((marks! & 7) === 4) bytes.push(first! & 127, second! & 127);
    }
  }
  return bytes;
}
