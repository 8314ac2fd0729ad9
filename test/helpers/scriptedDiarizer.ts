import { RxscribeError } from '../../src/base/errors.ts';
import type { Diarizer, SpeakerTurn } from '../../src/engines/diarizer.ts';
import { SCRIPTED_RATE, scriptedWindows } from './scriptedWindows.ts';

/** Levels of scripted speech that are one speaker's. */
export const LEVELS_OF_SPEAKER = 100;

/**
 * For tests only: whoever speaks at the levels below 100 is one person, from there to 199 another, and so on; of more
 * than are expected the last few are one.
 */
export function createScriptedDiarizer(): Diarizer {
  return {
    name: 'scripted (tests only)',
    sampleRate: SCRIPTED_RATE,
    async diarize(audio, { speakersCount = Number.POSITIVE_INFINITY, signal } = {}) {
      const voices: number[] = [];
      const turns: { speaker: number; startFrame: number; endFrame: number }[] = [];
      for await (const { startFrame, endFrame, level } of scriptedWindows(audio, signal)) {
        if (level === 0) continue;
        const voice = Math.min(Math.floor(level / LEVELS_OF_SPEAKER), speakersCount - 1);
        if (!voices.includes(voice)) voices.push(voice);
        const speaker = voices.indexOf(voice);
        const open = turns.at(-1);
        if (open?.speaker === speaker && open.endFrame === startFrame) open.endFrame = endFrame;
        else turns.push({ speaker, startFrame, endFrame });
      }
      return turns satisfies readonly SpeakerTurn[];
    },
    async track({ speakersCount = Number.POSITIVE_INFINITY, signal } = {}) {
      signal?.throwIfAborted();
      const closing = new AbortController();
      const over = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
      const close = async () => closing.abort(new RxscribeError('aborted', 'track speakers: closed'));
      const written: number[] = [];
      const voices: number[] = [];
      let last = 0;
      return {
        async write(samples) {
          over.throwIfAborted();
          // One by one: as arguments of one call they are too many.
          for (const sample of samples) written.push(sample);
        },
        async speakerDuring(startFrame, endFrame) {
          over.throwIfAborted();
          const levels: number[] = [];
          const spoken = Int16Array.from(written.slice(startFrame, endFrame));
          for await (const { level } of scriptedWindows([spoken])) if (level > 0) levels.push(level);
          if (levels.length === 0) return last;
          const voice = Math.min(Math.floor(levels[0]! / LEVELS_OF_SPEAKER), speakersCount - 1);
          if (!voices.includes(voice)) voices.push(voice);
          last = voices.indexOf(voice);
          return last;
        },
        close,
        [Symbol.asyncDispose]: close,
      };
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
