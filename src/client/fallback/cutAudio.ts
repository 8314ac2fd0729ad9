import { bytesPerFrame, type PcmFormat } from '../../audio/format/format.ts';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import { encodePcm } from '../../audio/pcm/pcm.ts';
import { type WavFile, writeWav } from '../../audio/pcm/writeWav.ts';
import type { ReplayStore } from '../spool/replayStore.ts';
import { audioOfHole } from '../stream/fallback.ts';

/** Audio that a job is given. */
export interface AudioCut extends FrameRange {
  readonly file: WavFile;
}

export interface CutOptions {
  readonly store: Pick<ReplayStore, 'read'>;
  readonly format: PcmFormat;
  /** Beside the hole, on both sides. */
  readonly marginSeconds: number;
}

/** Audio that is read from the store at once. */
const PIECE_BYTES = 256 * 1024;
/** Services refuse media that is shorter: it goes on as silence. */
const MIN_SECONDS = 2;

/**
 * The audio of a hole with its margins, from frame 0 at the earliest and up to where the audio ends; silence stands where
 * there is none between, so that the clock holds. It is read piece by piece, each time that the file is. Undefined when
 * the hole has no audio.
 */
export function cutAudio(hole: FrameRange, options: CutOptions): AudioCut | undefined {
  const { store, format } = options;
  const first = store.read(hole.startFrame, 1);
  if (!first || first.startFrame >= hole.endFrame) return undefined;
  const { startFrame, endFrame: latestFrame } = audioOfHole(hole, { ...options, ...format });
  const endFrame = audioEnd(store, hole.endFrame, latestFrame);
  const frames = Math.max(endFrame - startFrame, MIN_SECONDS * format.sampleRate);
  const samples = {
    [Symbol.iterator]: () => samplesOf({ startFrame, endFrame: startFrame + frames }, options),
  };
  return { startFrame, endFrame, file: writeWav(format, frames, samples) };
}

/** Where the last audio before a limit ends; `fromFrame` when there is none behind it. */
function audioEnd(store: CutOptions['store'], fromFrame: number, limitFrame: number): number {
  let endFrame = fromFrame;
  for (;;) {
    const chunk = store.read(endFrame, limitFrame - endFrame);
    if (!chunk || chunk.startFrame >= limitFrame) return endFrame;
    endFrame = Math.min(limitFrame, chunk.startFrame + chunk.frames);
    if (endFrame === limitFrame) return endFrame;
  }
}

/** All frames of a range, silence where the store has no audio. */
function* samplesOf(
  { startFrame, endFrame }: FrameRange,
  { store, format }: CutOptions,
): Generator<Uint8Array> {
  const width = bytesPerFrame(format);
  const pieceFrames = Math.max(1, Math.floor(PIECE_BYTES / width));
  const silence = encodePcm(new Float32Array(pieceFrames * format.channels), format.sampleFormat);
  let frame = startFrame;
  while (frame < endFrame) {
    const chunk = store.read(frame, Math.min(pieceFrames, endFrame - frame));
    const audioFrame = Math.min(chunk?.startFrame ?? endFrame, endFrame);
    for (; frame < audioFrame; frame += pieceFrames) {
      yield silence.subarray(0, Math.min(pieceFrames, audioFrame - frame) * width);
    }
    frame = audioFrame;
    if (!chunk || frame === endFrame) continue;
    const frames = Math.min(chunk.frames, endFrame - frame);
    yield chunk.bytes.subarray(0, frames * width);
    frame += frames;
  }
}
