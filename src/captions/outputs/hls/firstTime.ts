/** Bytes at the start of a segment that hold the time of its first sample. */
export const HEAD_BYTES = 65_536;

/** Units of presentation times in MPEG transport streams, per second. */
const MPEG_CLOCK = 90_000;

/**
 * Returns the presentation time of the first sample of a segment in seconds, of the video where there is one: of an MPEG
 * transport stream, of fragmented MP4, or of packed audio with the tag that HLS demands. Undefined when it has none.
 *
 * @param head first bytes of the segment
 * @param map initialisation section of fragmented MP4
 */
export function firstTimeOf(head: Buffer, map?: Buffer): number | undefined {
  if (map) return mp4Time(head, map);
  return head.subarray(0, 3).toString('latin1') === 'ID3' ? packedAudioTime(head) : transportTime(head);
}

const PACKET_BYTES = 188;
const SYNC = 0x47;

/** Sources: ISO/IEC 13818-1, sections 2.4.3.2 (packets) and 2.4.3.6 (PES packets). */
function transportTime(head: Buffer): number | undefined {
  let other: number | undefined;
  for (let at = head.indexOf(SYNC); at >= 0 && at + PACKET_BYTES <= head.length; at += PACKET_BYTES) {
    if (head[at] !== SYNC) return other;
    const packet = head.subarray(at, at + PACKET_BYTES);
    const startsUnit = (packet.readUInt8(1) & 0x40) !== 0;
    const hasPayload = (packet.readUInt8(3) & 0x10) !== 0;
    const adaptationBytes = (packet.readUInt8(3) & 0x20) === 0 ? 0 : packet.readUInt8(4) + 1;
    if (!startsUnit || !hasPayload) continue;
    const pes = packet.subarray(4 + adaptationBytes);
    const time = pesTime(pes);
    if (time === undefined) continue;
    const isVideo = (pes.readUInt8(3) & 0xf0) === 0xe0;
    if (isVideo) return time;
    other ??= time;
  }
  return other;
}

function pesTime(pes: Buffer): number | undefined {
  const isPes = pes.length >= 14 && pes.readUIntBE(0, 3) === 1 && (pes.readUInt8(6) & 0xc0) === 0x80;
  if (!isPes || (pes.readUInt8(7) & 0x80) === 0) return undefined;
  const first = pes.readUInt8(9) & 0x0e;
  const second = pes.readUInt16BE(10) >> 1;
  const third = pes.readUInt16BE(12) >> 1;
  // 33 bits exceed the integers of bitwise operators.
  return (first * 2 ** 29 + second * 2 ** 15 + third) / MPEG_CLOCK;
}

/** Source: RFC 8216, section 3.4. */
const AUDIO_TAG = 'com.apple.streaming.transportStreamTimestamp\0';

function packedAudioTime(head: Buffer): number | undefined {
  const at = head.indexOf(AUDIO_TAG, 0, 'latin1');
  const start = at + AUDIO_TAG.length;
  return at === -1 || start + 8 > head.length ? undefined : Number(head.readBigUInt64BE(start)) / MPEG_CLOCK;
}

/** Source: ISO/IEC 14496-12, sections 8.8.12 (`tfdt`), 8.8.7 (`tfhd`) and 8.4.2 (`mdhd`). */
function mp4Time(head: Buffer, map: Buffer): number | undefined {
  const tracks = [...boxesIn(map, 'moov')].flatMap(moov => [...boxesIn(moov, 'trak')].flatMap(trackOf));
  const times = [...boxesIn(head, 'moof')].flatMap(moof =>
    [...boxesIn(moof, 'traf')].flatMap(traf => timesOf(traf, tracks)),
  );
  return (times.find(({ track }) => track.isVideo) ?? times[0])?.seconds;
}

interface Track {
  readonly id: number;
  readonly timescale: number;
  readonly isVideo: boolean;
}

function trackOf(trak: Buffer): readonly Track[] {
  const [tkhd] = boxesIn(trak, 'tkhd');
  const [mdia] = boxesIn(trak, 'mdia');
  const [mdhd] = mdia ? boxesIn(mdia, 'mdhd') : [];
  const [hdlr] = mdia ? boxesIn(mdia, 'hdlr') : [];
  // Times of version 1 have 64 bits.
  const id = tkhd && numberAt(tkhd, tkhd[0] === 1 ? 20 : 12);
  const timescale = mdhd && numberAt(mdhd, mdhd[0] === 1 ? 20 : 12);
  if (!id || !timescale) return [];
  return [{ id, timescale, isVideo: hdlr?.toString('latin1', 8, 12) === 'vide' }];
}

function timesOf(traf: Buffer, tracks: readonly Track[]) {
  const [tfhd] = boxesIn(traf, 'tfhd');
  const [tfdt] = boxesIn(traf, 'tfdt');
  const track = tracks.find(({ id }) => tfhd && id === numberAt(tfhd, 4));
  const isLong = tfdt?.[0] === 1;
  if (!track || !tfdt || tfdt.length < (isLong ? 12 : 8)) return [];
  const units = isLong ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4);
  return [{ track, seconds: units / track.timescale }];
}

const numberAt = (box: Buffer, at: number) => (at + 4 <= box.length ? box.readUInt32BE(at) : undefined);

/** Yields the contents of the boxes of a type, the last one as far as it was read. */
function* boxesIn(bytes: Buffer, type: string): Generator<Buffer> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at);
    const isLong = short === 1 && at + 16 <= bytes.length;
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    const headerBytes = isLong ? 16 : 8;
    const end = size === 0 ? bytes.length : at + size;
    if (end < at + headerBytes) return;
    if (bytes.toString('latin1', at + 4, at + 8) === type) yield bytes.subarray(at + headerBytes, end);
    at = end;
  }
}
