/** Returns the table of a checksum whose most significant bit comes first. */
function tableOf(polynomial: number, bits: number): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << 24;
    for (let i = 0; i < 8; i++) crc = (crc << 1) ^ (crc < 0 ? polynomial << (32 - bits) : 0);
    return crc;
  });
}

const CRC8 = tableOf(0x07, 8);
const CRC16 = tableOf(0x8005, 16);
const CRC32 = tableOf(0x04c11db7, 32);

/** Returns the checksum of a FLAC frame header, up to an offset. */
export function crc8(bytes: Uint8Array, end: number): number {
  return crcOf(CRC8, bytes, end) >>> 24;
}

/** Returns the checksum of a FLAC frame, up to an offset. */
export function crc16(bytes: Uint8Array, end: number): number {
  return crcOf(CRC16, bytes, end) >>> 16;
}

/** Returns the checksum of an Ogg page, in which the bytes 22 to 25, its own place, count as zeros. */
export function oggChecksum(page: Uint8Array): number {
  let crc = crcOf(CRC32, page, 22);
  for (let i = 0; i < 4; i++) crc = (crc << 8) ^ CRC32[crc >>> 24]!;
  for (let i = 26; i < page.length; i++) crc = (crc << 8) ^ CRC32[(crc >>> 24) ^ page[i]!]!;
  return crc >>> 0;
}

function crcOf(table: Int32Array, bytes: Uint8Array, end: number): number {
  let crc = 0;
  for (let i = 0; i < end; i++) crc = (crc << 8) ^ table[(crc >>> 24) ^ bytes[i]!]!;
  return crc;
}
