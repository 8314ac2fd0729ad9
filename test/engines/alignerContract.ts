import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import type { Aligner } from '../../src/engines/aligner.ts';
import { abortingAudio, brokenAudio, piecesOf } from '../helpers/cutAudio.ts';

export interface AlignerUnderTest {
  readonly create: () => Aligner;
  /** Speech of at least three words, at the engine's rate. */
  readonly speech: () => Int16Array;
  /** The words spoken in it. */
  readonly words: readonly string[];
  /** Why the engine cannot run here; undefined when it can. */
  readonly missing?: string;
}

/** Behaviour of every aligner, for any speech. */
export function alignerContract(name: string, engine: AlignerUnderTest): void {
  function create(context: TestContext): Aligner {
    if (engine.missing) context.skip(engine.missing);
    const aligner = engine.create();
    onTestFinished(() => aligner.close());
    return aligner;
  }
  const whole = () => [engine.speech()];

  describe(`${name} as an aligner`, { timeout: 120_000 }, () => {
    it('finds the spoken words, in order and within the audio', async context => {
      const words = await create(context).align(whole(), engine.words);
      expect(words.map(({ value }) => value)).toEqual(engine.words);
      const found = words.filter(({ startFrame }) => startFrame !== undefined);
      expect(found.length).toBeGreaterThan(engine.words.length / 2);
      let reached = 0;
      for (const { startFrame, endFrame, confidence = 1 } of found) {
        expect(startFrame).toBeGreaterThanOrEqual(reached);
        expect(endFrame).toBeGreaterThan(startFrame!);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
        reached = startFrame!;
      }
      expect(found.at(-1)!.endFrame).toBeLessThanOrEqual(engine.speech().length);
    });

    it('returns the words as they were written', async context => {
      const written = engine.words.map(word => word.toUpperCase());
      const words = await create(context).align(whole(), written);
      expect(words.map(({ value }) => value)).toEqual(written);
    });

    it('finds the same words however the audio is cut', async context => {
      const aligner = create(context);
      const words = await aligner.align(piecesOf(engine.speech(), 777), engine.words);
      expect(words).toEqual(await aligner.align(whole(), engine.words));
    });

    it('finds nothing in no audio at all, and returns nothing for no words', async context => {
      const aligner = create(context);
      expect(await aligner.align([], engine.words)).toEqual(engine.words.map(value => ({ value })));
      expect(await aligner.align(whole(), [])).toEqual([]);
    });

    it('keeps two alignments apart', async context => {
      const aligner = create(context);
      const [first, second] = await Promise.all([
        aligner.align(piecesOf(engine.speech(), 4000), engine.words),
        aligner.align(piecesOf(engine.speech(), 3000), engine.words.slice(0, 2)),
      ]);
      expect(first).toEqual(await aligner.align(whole(), engine.words));
      expect(second.length).toBe(2);
    });

    it('rejects an unsupported language', async context => {
      const aligning = create(context).align(whole(), engine.words, { language: 'tlh' });
      await expect(aligning).rejects.toMatchObject({ code: 'invalid-argument' });
    });

    it('fails with the error of its audio', async context => {
      const aligning = create(context).align(brokenAudio(engine.speech()), engine.words);
      await expect(aligning).rejects.toThrow('the audio broke off');
    });

    it('rejects with the reason of the signal', async context => {
      const aligner = create(context);
      const controller = new AbortController();
      const audio = abortingAudio(engine.speech(), controller);
      const aligning = aligner.align(audio, engine.words, { signal: controller.signal });
      await expect(aligning).rejects.toThrow('enough');
      const again = aligner.align(whole(), engine.words, { signal: controller.signal });
      await expect(again).rejects.toThrow('enough');
    });

    it('can be closed twice', async context => {
      const aligner = create(context);
      await aligner.close();
      await aligner.close();
    });
  });
}
