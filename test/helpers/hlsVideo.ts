import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A segment of an MPEG transport stream: one packet with the start of a PES packet, and one of filling. */
export function transportSegment(seconds: number, { streamId = 0xe0 } = {}): Buffer {
  const pts = BigInt(Math.round(seconds * 90_000)) % 2n ** 33n;
  const bits = (shift: bigint, mask: bigint) => Number((pts >> shift) & mask);
  const packet = Buffer.alloc(188, 0xff);
  packet.set([0x47, 0x41, 0x00, 0x10, 0, 0, 1, streamId, 0, 0, 0x80, 0x80, 5]);
  packet.set([0x21 | (bits(30n, 7n) << 1)], 13);
  packet.writeUInt16BE((bits(15n, 0x7fffn) << 1) | 1, 14);
  packet.writeUInt16BE((bits(0n, 0x7fffn) << 1) | 1, 16);
  const filling = Buffer.alloc(188, 0xff);
  filling.set([0x47, 0x1f, 0xff, 0x10]);
  return Buffer.concat([filling, packet]);
}

/** A live video as an encoder writes it: a playlist and its last segments in a directory. */
export interface FakeVideo {
  readonly path: string;
  /** Adds a segment and drops the oldest one. */
  add(): Promise<void>;
  /** Begins a new encoding: with a discontinuity in the same playlist, or with another one that counts from 0. */
  restart(options: { readonly how: 'append' | 'anew'; readonly afterSeconds: number }): Promise<void>;
  end(): Promise<void>;
  /** Sequence numbers in the playlist now. */
  readonly listed: readonly number[];
  /** Date of the last segment that was ever listed. */
  readonly lastMs: number;
}

export interface FakeVideoOptions {
  readonly directory: string;
  /** Date of the first segment, in milliseconds since 1970-01-01 UTC. */
  readonly startMs: number;
  readonly segmentSeconds?: number;
  /** Segments in the playlist. */
  readonly window?: number;
  /** Presentation time of the first segment. */
  readonly firstSeconds?: number;
}

interface FakeSegment {
  readonly sequence: number;
  readonly startMs: number;
  readonly isDiscontinuity: boolean;
}

export function fakeVideo(options: FakeVideoOptions): FakeVideo {
  const { directory, segmentSeconds = 2, window = 6, firstSeconds = 1.4 } = options;
  const path = join(directory, 'video.m3u8');
  let segments: FakeSegment[] = [];
  let nextMs = options.startMs;
  let lastMs = 0;
  let encodedMs = 0;
  let sequence = 0;
  let dropped = 0;
  let isDiscontinuity = false;

  async function write(isEnded = false): Promise<void> {
    const lines = segments.flatMap(segment => [
      ...(segment.isDiscontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
      `#EXTINF:${segmentSeconds.toFixed(6)},`,
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.startMs).toISOString().replace('Z', '+0000')}`,
      `video${segment.sequence}.ts`,
    ]);
    const head = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${Math.ceil(segmentSeconds)}`];
    const sequences = [
      `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.sequence ?? 0}`,
      `#EXT-X-DISCONTINUITY-SEQUENCE:${dropped}`,
    ];
    const text = [...head, ...sequences, ...lines, ...(isEnded ? ['#EXT-X-ENDLIST'] : []), ''].join('\n');
    await writeFile(`${path}.tmp`, text);
    await rename(`${path}.tmp`, path);
  }

  return {
    path,
    get listed() {
      return segments.map(segment => segment.sequence);
    },
    get lastMs() {
      return lastMs;
    },
    async add() {
      await mkdir(directory, { recursive: true });
      const bytes = transportSegment(firstSeconds + encodedMs / 1000);
      await writeFile(join(directory, `video${sequence}.ts`), bytes);
      lastMs = nextMs;
      segments.push({ sequence, startMs: nextMs, isDiscontinuity });
      sequence++;
      isDiscontinuity = false;
      nextMs += segmentSeconds * 1000;
      encodedMs += segmentSeconds * 1000;
      for (const old of segments.splice(0, segments.length - window)) {
        if (old.isDiscontinuity) dropped++;
        await rm(join(directory, `video${old.sequence}.ts`));
      }
      await write();
    },
    async restart({ how, afterSeconds }) {
      nextMs += afterSeconds * 1000;
      encodedMs = 0;
      if (how === 'append') {
        isDiscontinuity = true;
        return;
      }
      segments = [];
      sequence = 0;
      dropped = 0;
    },
    end: () => write(true),
  };
}
