import type { LanguageConfidence } from './languageIdentifier.ts';
import type { RecognizerCapabilities, RecognizerResult } from './recognizer.ts';

type Languages = Pick<RecognizerCapabilities, 'languages' | 'findsLanguage'>;

/** Returns the language of a session without one: English, or the engine's first; undefined when the engine finds it. */
export function defaultLanguage({ languages, findsLanguage }: Languages): string | undefined {
  if (findsLanguage) return undefined;
  return languages.includes('en') ? 'en' : languages[0];
}

/** The languages that an engine found in the speech of a session. */
export class FoundLanguages {
  readonly #frames = new Map<string, number>();

  /** Adds a result; only finals count. */
  add({ type, language, startFrame, endFrame }: RecognizerResult): void {
    if (type === 'partial' || language === undefined) return;
    this.#frames.set(language, (this.#frames.get(language) ?? 0) + endFrame - startFrame);
  }

  /** Returns each language with its share of the speech, most spoken first. */
  shares(): readonly LanguageConfidence[] {
    const total = [...this.#frames.values()].reduce((sum, frames) => sum + frames, 0);
    return [...this.#frames]
      .map(([language, frames]) => ({ language, confidence: frames / total }))
      .sort((one, other) => other.confidence - one.confidence);
  }

  /** The language of most of the speech; undefined when none was found. */
  get main(): string | undefined {
    return this.shares()[0]?.language;
  }
}
