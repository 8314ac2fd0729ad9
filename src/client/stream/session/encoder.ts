import type { AudioContentType } from '../../../audio/format/contentType.ts';
import { type AudioBlock, framesOf, type PcmFormat } from '../../../audio/format/format.ts';
import { encodePcm } from '../../../audio/pcm/pcm.ts';
import type { Chunk } from '../../spool/chunk.ts';

/** What a service is told about the bytes of chunks. */
export function contentTypeOf(format: PcmFormat): AudioContentType {
  return { kind: 'raw', layout: 'interleaved', format };
}

/** A block as it goes on the wire. */
export function encodeBlock(block: AudioBlock, { sampleFormat }: Pick<PcmFormat, 'sampleFormat'>): Chunk {
  return {
    startFrame: block.startFrame,
    frames: framesOf(block),
    bytes: encodePcm(block.samples, sampleFormat),
  };
}

/** So many frames in which nothing is to be heard. */
export function silence(
  { sampleFormat, channels }: PcmFormat,
  frames: number,
): Pick<Chunk, 'bytes' | 'frames'> {
  return { frames, bytes: encodePcm(new Float32Array(frames * channels), sampleFormat) };
}
