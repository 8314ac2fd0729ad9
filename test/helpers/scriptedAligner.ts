import { InvalidArgumentError } from '../../src/base/errors.ts';
import type { AlignedWord, Aligner } from '../../src/engines/aligner.ts';
import { SCRIPTED_RATE, type ScriptedWindow, scriptedWindows } from './scriptedWindows.ts';

/**
 * For tests only: an aligner that finds the word `w<n>`, in any case, where scripted speech has the level n, each after
 * the one before; others it does not find.
 */
export function createScriptedAligner(): Aligner {
  const align: Aligner['align'] = async (audio, words, { language = 'en', signal } = {}) => {
    if (language !== 'en')
      throw new InvalidArgumentError(`Language '${language}' is not supported here (supported: en).`);
    const windows: ScriptedWindow[] = [];
    for await (const window of scriptedWindows(audio, signal)) windows.push(window);
    let from = 0;
    return words.map((value): AlignedWord => {
      const at = windows.findIndex(
        ({ level }, index) => index >= from && level > 0 && `w${level}` === value.toLowerCase(),
      );
      if (at < 0) return { value };
      from = at + 1;
      const { startFrame, endFrame, level } = windows[at]!;
      return { value, startFrame, endFrame, confidence: 1 / (level + 1) };
    });
  };
  return {
    name: 'scripted (tests only)',
    languages: ['en'],
    sampleRate: SCRIPTED_RATE,
    align,
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
