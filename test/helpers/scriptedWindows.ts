import { levelOf, SCRIPTED_WINDOW_FRAMES } from './scriptedRecognizer.ts';

/** One step of scripted speech. */
export interface ScriptedWindow {
  readonly startFrame: number;
  readonly endFrame: number;
  /** 0 for silence. */
  readonly level: number;
}

/** Hz of what scripted engines hear. */
export const SCRIPTED_RATE = 16_000;

/** Scripted speech, 100 ms after 100 ms, however it was cut; what is less at the end is passed over. */
export async function* scriptedWindows(
  audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
  signal?: AbortSignal,
): AsyncGenerator<ScriptedWindow> {
  signal?.throwIfAborted();
  const window = new Int16Array(SCRIPTED_WINDOW_FRAMES);
  let filled = 0;
  let startFrame = 0;
  for await (const samples of audio) {
    signal?.throwIfAborted();
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + window.length - filled);
      window.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < window.length) break;
      const endFrame = startFrame + window.length;
      yield { startFrame, endFrame, level: levelOf(window) };
      startFrame = endFrame;
      filled = 0;
    }
  }
  signal?.throwIfAborted();
}
