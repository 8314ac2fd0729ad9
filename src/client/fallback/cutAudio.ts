import { bytesPerFrame, type PcmFormat } from '../../audio/format/format.ts';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import { encodePcm } from '../../audio/pcm/pcm.ts';
import { type WavFile, writeWav } from '../../audio/pcm/wav.ts';
import type { ReplayStore } from '../spool/spool.ts';
import { audioOfHole } from '../stream/fallback.ts';

/** The audio of a job. */
export interface AudioCut extends FrameRange {
  readonly file: WavFile;
}

export interface CutOptions {
  readonly store: Pick<ReplayStore, 'read'>;
  readonly format: PcmFormat;
  /** Seconds of audio on both sides of the hole. */
  readonly marginSeconds: number;
}

/** Bytes of one read from the store. */
const PIECE_BYTES = 256 * 1024;
/** Seconds of audio at least, filled up with silence: services reject shorter media. */
const MIN_SECONDS = 2;

/**
 * Returns the audio of a hole with its margins, from frame 0 at the earliest and up to the end of the audio. Gaps are filled
 * with silence, so that positions hold. The audio is read piece by piece, each time the file is read. Undefined when the
 * hole has no audio.
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

/** Returns the end of the last audio before a limit; `fromFrame` when none follows it. */
function audioEnd(store: CutOptions['store'], fromFrame: number, limitFrame: number): number {
  let endFrame = fromFrame;
  for (;;) {
    const chunk = store.read(endFrame, limitFrame - endFrame);
    if (!chunk || chunk.startFrame >= limitFrame) return endFrame;
    endFrame = Math.min(limitFrame, chunk.startFrame + chunk.frames);
    if (endFrame === limitFrame) return endFrame;
  }
}

/** Yields all frames of a range, as silence where the store has no audio. */
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

export interface AudioInOptions {
  readonly store: Pick<ReplayStore, 'read'>;
  /** Frames of a gap at most that do not split a part. */
  readonly bridgedFrames: number;
}

/** Returns the parts of a range that have audio, in order. They begin and end with audio. */
export function audioIn(
  { startFrame, endFrame }: FrameRange,
  { store, bridgedFrames }: AudioInOptions,
): readonly FrameRange[] {
  const parts: FrameRange[] = [];
  for (let frame = startFrame; frame < endFrame; ) {
    // Read in small pieces, as a hole may be hours long.
    const chunk = store.read(frame, Math.min(endFrame - frame, Math.max(1, bridgedFrames)));
    if (!chunk || chunk.startFrame >= endFrame) break;
    frame = Math.min(endFrame, chunk.startFrame + chunk.frames);
    const last = parts.at(-1);
    const isNear = last && chunk.startFrame - last.endFrame <= bridgedFrames;
    if (isNear) parts.pop();
    parts.push({ startFrame: isNear ? last.startFrame : chunk.startFrame, endFrame: frame });
  }
  return parts;
}

/** Splits a range into as few ranges of `maxFrames` at most as possible, of nearly equal length. */
export function splitRange({ startFrame, endFrame }: FrameRange, maxFrames: number): readonly FrameRange[] {
  const parts = Math.max(1, Math.ceil((endFrame - startFrame) / maxFrames));
  const at = (part: number) => startFrame + Math.round(((endFrame - startFrame) * part) / parts);
  return Array.from({ length: parts }, (_, part) => ({ startFrame: at(part), endFrame: at(part + 1) }));
}
