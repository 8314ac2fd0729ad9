import { createBlocks } from '../../audio/sampleBuffers.ts';

/** Yields copies of audio in blocks of some frames, the last one shorter. */
export async function* audioBlocks(
  audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
  frames: number,
): AsyncGenerator<Int16Array<ArrayBuffer>> {
  const blocks = createBlocks(frames);
  for await (const samples of audio) {
    const full: Int16Array<ArrayBuffer>[] = [];
    blocks.push(samples, block => full.push(block.slice()));
    yield* full;
  }
  const rest = blocks.rest().slice();
  if (rest.length > 0) yield rest;
}
