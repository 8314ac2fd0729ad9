import { encodePcm } from '../../audio/pcm/pcm.ts';
import type { CassetteAudio } from '../cassette/cassette.ts';
import { FrameReader } from './frameReader.ts';
import type { AudioPiece } from './script.ts';

/** Frames that are read at once. */
const STEP_FRAMES = 16_384;

/** Pieces of a recording as they went on the wire, in order. */
export async function* recordedBytes(
  audio: CassetteAudio,
  pieces: readonly AudioPiece[],
): AsyncGenerator<Uint8Array> {
  const { sampleFormat, channels } = audio.format;
  const reader = new FrameReader(audio);
  try {
    for (const piece of pieces) {
      for (let at = 0; at < piece.frames; at += STEP_FRAMES) {
        const frames = Math.min(STEP_FRAMES, piece.frames - at);
        const samples =
          piece.kind === 'silence'
            ? new Float32Array(frames * channels)
            : (await reader.read(piece.start + at, frames))?.samples;
        if (!samples) return;
        yield encodePcm(samples, sampleFormat);
        if (samples.length < frames * channels) return;
      }
    }
  } finally {
    await reader.close();
  }
}
