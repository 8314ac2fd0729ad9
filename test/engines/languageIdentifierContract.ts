import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import type { LanguageIdentifier } from '../../src/engines/languageIdentifier.ts';
import { abortingAudio, brokenAudio, piecesOf, stalledAudio } from '../helpers/cutAudio.ts';

export interface LanguageIdentifierUnderTest {
  readonly create: () => LanguageIdentifier;
  /** Speech in one of the languages, at the engine's rate. */
  readonly speech: () => Int16Array;
  readonly language: string;
  /** Why the engine cannot run here; undefined when it can. */
  readonly missing?: string;
}

/** Behaviour of every language identifier, for any speech. */
export function languageIdentifierContract(name: string, engine: LanguageIdentifierUnderTest): void {
  function create(context: TestContext): LanguageIdentifier {
    if (engine.missing) context.skip(engine.missing);
    const identifier = engine.create();
    onTestFinished(() => identifier.close());
    return identifier;
  }
  const whole = () => [engine.speech()];

  describe(`${name} as a language identifier`, { timeout: 120_000 }, () => {
    it('identifies the spoken language', async context => {
      expect((await create(context).identify(whole()))[0]?.language).toBe(engine.language);
    });

    it('returns its own languages, each once, best first, with confidences that sum to at most 1', async context => {
      const identifier = create(context);
      const heard = await identifier.identify(whole());
      const languages = heard.map(({ language }) => language);
      expect(new Set(languages).size).toBe(languages.length);
      expect(identifier.languages).toEqual(expect.arrayContaining(languages));
      const confidences = heard.map(({ confidence }) => confidence);
      for (const confidence of confidences) expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidences).toEqual(confidences.toSorted((one, other) => other - one));
      expect(confidences.reduce((sum, confidence) => sum + confidence)).toBeLessThanOrEqual(1 + 1e-9);
    });

    it('returns the same languages however the audio is cut', async context => {
      const identifier = create(context);
      const heard = await identifier.identify(piecesOf(engine.speech(), 777));
      expect(heard).toEqual(await identifier.identify(whole()));
    });

    it('returns nothing for no audio at all', async context => {
      expect(await create(context).identify([])).toEqual([]);
    });

    it('fails with the error of its audio', async context => {
      const first = engine.speech().subarray(0, 1600);
      const identifying = create(context).identify(brokenAudio(first));
      await expect(identifying).rejects.toThrow('the audio broke off');
    });

    it('rejects with the reason of the signal', async context => {
      const identifier = create(context);
      for (const audioFor of [abortingAudio, stalledAudio]) {
        const controller = new AbortController();
        const audio = audioFor(engine.speech().subarray(0, 1600), controller);
        const identifying = identifier.identify(audio, { signal: controller.signal });
        await expect(identifying).rejects.toThrow('enough');
      }
    });

    it('can be closed twice', async context => {
      const identifier = create(context);
      await identifier.close();
      await identifier.close();
    });
  });
}
