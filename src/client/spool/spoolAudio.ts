import type { Chunk } from './replayStore.ts';

const FRAME_BYTES = 6;

/** Audio as it is in a record: its first frame, then its bytes. */
export function encodeAudio({ startFrame, bytes }: Pick<Chunk, 'startFrame' | 'bytes'>): Uint8Array {
  const payload = Buffer.alloc(FRAME_BYTES + bytes.length);
  payload.writeUIntLE(startFrame, 0, FRAME_BYTES);
  payload.set(bytes, FRAME_BYTES);
  return payload;
}

/** Undefined for what has no whole frames. */
export function decodeAudio(payload: Uint8Array, frameBytes: number): Chunk | undefined {
  const audioBytes = payload.length - FRAME_BYTES;
  if (audioBytes < 0 || audioBytes % frameBytes !== 0) return undefined;
  const view = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const bytes = payload.subarray(FRAME_BYTES);
  return { startFrame: view.readUIntLE(0, FRAME_BYTES), frames: bytes.length / frameBytes, bytes };
}
