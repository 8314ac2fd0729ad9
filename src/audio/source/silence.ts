import { defer, type MonoTypeOperatorFunction, tap } from 'rxjs';
import { type AudioBlock, framesOf } from '../format/format.ts';
import type { SourceStatus } from './reconnecting.ts';

/** One step of 16-bit samples. */
const STEP = 2 ** -15;

/**
 * Returns whether a block is digital silence: no sample of a channel differs from another one by more than one step of 16-bit
 * samples. A quiet room makes more noise; a muted device, or a name without a device, gives a constant.
 */
export function isDigitalSilence({ samples, channels }: Pick<AudioBlock, 'samples' | 'channels'>): boolean {
  for (let channel = 0; channel < channels; channel++) {
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (let i = channel; i < samples.length; i += channels) {
      const sample = samples[i]!;
      if (sample < min) min = sample;
      if (sample > max) max = sample;
      if (max - min > STEP) return false;
    }
  }
  return true;
}

export interface SilenceOptions {
  /** Seconds of digital silence before it is reported. */
  readonly seconds: number;
  /** Called once for each silence of that length. */
  readonly onSilent: () => void;
  /** Called when a reported silence is over. */
  readonly onAudible: () => void;
}

/** Passes audio on, and reports digital silence. A gap begins the count anew, but is not audible. */
export function watchSilence(options: SilenceOptions): MonoTypeOperatorFunction<AudioBlock> {
  const { seconds, onSilent, onAudible } = options;
  return audio$ =>
    defer(() => {
      let silentFrames = 0;
      let nextFrame = 0;
      let isReported = false;
      const check = (block: AudioBlock) => {
        if (block.startFrame !== nextFrame) silentFrames = 0;
        nextFrame = block.startFrame + framesOf(block);
        if (!isDigitalSilence(block)) {
          silentFrames = 0;
          if (isReported) onAudible();
          isReported = false;
          return;
        }
        silentFrames += framesOf(block);
        if (isReported || silentFrames < seconds * block.sampleRate) return;
        isReported = true;
        onSilent();
      };
      return audio$.pipe(tap(check));
    });
}

/** Passes the audio of a microphone on, and reports digital silence, and its end, as a status of that name. */
export function reportSilence(seconds: number, name: string, onStatus: (status: SourceStatus) => void) {
  const silent = `The microphone gives digital silence for ${seconds} s. Check that it is not muted.`;
  return watchSilence({
    seconds,
    onSilent: () => onStatus({ type: 'silent', name, message: silent }),
    onAudible: () => onStatus({ type: 'audible', name, message: 'The microphone gives sound again.' }),
  });
}
