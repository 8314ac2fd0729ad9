import type { SessionRun } from '../session/sessionRun.ts';

/**
 * When a moment of the audio was spoken, in milliseconds of the run, of a time in seconds as transcripts have it. A block
 * comes when its last frame is due: what is in it was spoken before. A word that seems to end after the audio ends with it.
 * Undefined without audio.
 */
export function audioTimes(
  run: Pick<SessionRun, 'audio' | 'sampleRate' | 'startTs' | 'speed'>,
): (seconds: number) => number | undefined {
  const { audio, sampleRate, startTs, speed } = run;
  const rate = speed === 'max' ? Number.POSITIVE_INFINITY : speed;
  const lastFrame = audio.at(-1)?.value.endFrame ?? 0;
  return seconds => {
    const frame = Math.min((seconds - startTs) * sampleRate, lastFrame);
    let low = 0;
    let high = audio.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (audio[middle]!.value.endFrame < frame) low = middle + 1;
      else high = middle;
    }
    const block = audio[low];
    if (!block) return undefined;
    return block.atMs - ((block.value.endFrame - frame) * 1000) / (sampleRate * rate);
  };
}
