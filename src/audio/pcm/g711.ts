/**
 * G.711 companding at the 16-bit scale, where the largest mu-law value is 32124 and the largest A-law value 32256.
 *
 * Source: ITU-T Recommendation G.711 (11/88), tables 1 (A-law) and 2 (mu-law). A code is a sign, 3 bits of segment
 * and 4 bits of position in it, which is a tiny floating point number; the formulas below are those tables in closed
 * form, as in the reference implementation of ITU-T G.191.
 */
const MULAW_BIAS = 132;
const MULAW_LARGEST = 32_767 - MULAW_BIAS;

/** Values of the 256 mu-law codes. Codes 0x7F and 0xFF are both zero. */
export const MULAW_VALUES: Int16Array = Int16Array.from({ length: 256 }, (_, code) => {
  const inverted = ~code;
  const magnitude = (((inverted & 0x0f) * 8 + MULAW_BIAS) << ((inverted & 0x70) >> 4)) - MULAW_BIAS;
  return inverted & 0x80 ? -magnitude : magnitude;
});

/** Values of the 256 A-law codes. */
export const ALAW_VALUES: Int16Array = Int16Array.from({ length: 256 }, (_, code) => {
  const toggled = code ^ 0x55;
  const segment = (toggled & 0x70) >> 4;
  const position = (toggled & 0x0f) * 16 + 8;
  const magnitude = segment === 0 ? position : (position + 256) << (segment - 1);
  return toggled & 0x80 ? magnitude : -magnitude;
});

/** Returns the mu-law code of a 16-bit value. */
export function encodeMulaw(value: number): number {
  const biased = Math.min(Math.abs(value), MULAW_LARGEST) + MULAW_BIAS;
  return ~((value < 0 ? 0x80 : 0) | segmentAndPosition(biased)) & 0xff;
}

/** Returns the A-law code of a 16-bit value. */
export function encodeAlaw(value: number): number {
  // The one's complement makes the negative half a mirror of the positive: A-law has no zero.
  const magnitude = value < 0 ? ~value : value;
  const code = magnitude < 256 ? magnitude >> 4 : segmentAndPosition(magnitude);
  return (value < 0 ? code : code | 0x80) ^ 0x55;
}

/** Returns 3 bits of exponent above 2^7, then the 4 bits below the leading one. */
function segmentAndPosition(magnitude: number): number {
  const segment = 24 - Math.clz32(magnitude);
  return (segment << 4) | ((magnitude >> (segment + 3)) & 0x0f);
}
