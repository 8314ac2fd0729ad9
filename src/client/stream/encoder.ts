import type { AudioContentType } from '../../audio/contentType.ts';
import { type AudioBlock, bytesPerFrame, framesOf, type PcmFormat } from '../../audio/format.ts';
import { encodePcmInto } from '../../audio/pcm.ts';
import type { Chunk } from '../spool/chunk.ts';

/** What a service is told about the bytes of chunks. */
export function contentTypeOf(format: PcmFormat): AudioContentType {
  return { kind: 'raw', layout: 'interleaved', format };
}

/**
 * Makes chunks of blocks. With `mayReuse` the bytes of the last chunk are overwritten: one buffer then serves a whole
 * stream, which saves a third of its garbage.
 */
export function createEncoder(format: PcmFormat): (block: AudioBlock, mayReuse: boolean) => Chunk {
  const width = bytesPerFrame(format);
  let buffer = new Uint8Array(0);
  return (block, mayReuse) => {
    const frames = framesOf(block);
    const size = frames * width;
    if (!mayReuse || buffer.length < size) buffer = new Uint8Array(size);
    const bytes = buffer.length === size ? buffer : buffer.subarray(0, size);
    encodePcmInto(block.samples, format.sampleFormat, bytes);
    return { startFrame: block.startFrame, frames, bytes };
  };
}
