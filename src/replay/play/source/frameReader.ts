import { type AudioBlock, framesOf } from '../../../audio/format/format.ts';
import { encodePcm } from '../../../audio/pcm/pcm.ts';
import { containerBlocks } from '../../../audio/source/containerBlocks.ts';
import type { CassetteAudio } from '../../cassette/cassette.ts';
import type { SourcePiece } from '../script/script.ts';

/** Reads runs of frames of a recording, one after another. */
export class FrameReader {
  readonly #end = new AbortController();
  readonly #bytes: AsyncIterator<Uint8Array>;
  readonly #blocks: AsyncGenerator<AudioBlock>;
  #block: AudioBlock | undefined;

  constructor(audio: Pick<CassetteAudio, 'bytes'>) {
    const { signal } = this.#end;
    // Damage is reported when the cassette is read.
    this.#bytes = audio.bytes()[Symbol.asyncIterator]();
    const bytes = { [Symbol.asyncIterator]: () => this.#bytes };
    this.#blocks = containerBlocks(bytes, { signal, onWarning: () => {} });
  }

  /**
   * Reads frames from a start on, which must not precede the end of the last run; fewer at the end of the recording.
   */
  async read(startFrame: number, frames: number): Promise<AudioBlock | undefined> {
    const endFrame = startFrame + frames;
    const parts: AudioBlock[] = [];
    for (let at = startFrame; at < endFrame; ) {
      const block = await this.#blockAt(at);
      if (!block) break;
      const part = cut(block, at, endFrame);
      parts.push(part);
      at += framesOf(part);
    }
    return joined(parts);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#blocks.return(undefined).catch(() => {});
    // Reading only the beginning does not end the iteration of the bytes.
    await this.#bytes.return?.().catch(() => {});
  }

  async #blockAt(frame: number): Promise<AudioBlock | undefined> {
    while (!this.#block || endOf(this.#block) <= frame) {
      const { done, value } = await this.#blocks.next();
      if (done) return undefined;
      this.#block = value;
    }
    return this.#block;
  }
}

function endOf(block: AudioBlock): number {
  return block.startFrame + framesOf(block);
}

function cut(block: AudioBlock, fromFrame: number, toFrame: number): AudioBlock {
  const { startFrame, channels, samples } = block;
  const start = Math.max(fromFrame, startFrame);
  const from = (start - startFrame) * channels;
  const to = (toFrame - startFrame) * channels;
  return { ...block, startFrame: start, samples: samples.subarray(from, to) };
}

function joined(parts: readonly AudioBlock[]): AudioBlock | undefined {
  const [first] = parts;
  if (!first || parts.length === 1) return first;
  const samples = new Float32Array(parts.reduce((sum, { samples }) => sum + samples.length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part.samples, at);
    at += part.samples.length;
  }
  return { ...first, samples };
}

/** Frames per read. */
const STEP_FRAMES = 16_384;

/** Reads pieces of a recording as bytes, as they were on the wire, in order. */
export async function* recordedBytes(
  audio: CassetteAudio,
  pieces: readonly SourcePiece[],
): AsyncGenerator<Uint8Array> {
  const { sampleFormat, channels } = audio.format;
  const reader = new FrameReader(audio);
  try {
    for (const piece of pieces) {
      for (let at = 0; at < piece.frames; at += STEP_FRAMES) {
        const frames = Math.min(STEP_FRAMES, piece.frames - at);
        const samples = (await reader.read(piece.start + at, frames))?.samples;
        if (!samples) return;
        yield encodePcm(samples, sampleFormat);
        if (samples.length < frames * channels) return;
      }
    }
  } finally {
    await reader.close();
  }
}
