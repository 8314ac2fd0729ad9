import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import type { SentimentAnalyzer } from '../../src/engines/sentimentAnalyzer.ts';

export interface SentimentAnalyzerUnderTest {
  readonly create: () => SentimentAnalyzer;
  /** Sentences that nobody could mistake. */
  readonly positive: string;
  readonly negative: string;
  /** Why the engine cannot run here; undefined when it can. */
  readonly missing?: string;
}

/** Behaviour of every sentiment analyzer, for any text. */
export function sentimentAnalyzerContract(name: string, engine: SentimentAnalyzerUnderTest): void {
  function create(context: TestContext): SentimentAnalyzer {
    if (engine.missing) context.skip(engine.missing);
    const analyzer = engine.create();
    onTestFinished(() => analyzer.close());
    return analyzer;
  }

  describe(`${name} as a sentiment analyser`, { timeout: 120_000 }, () => {
    it('returns a score from -1 to 1 for each sentence, in order', async context => {
      const { positive, negative } = engine;
      const scores = await create(context).analyze([positive, negative, positive, 'It is Monday.']);
      expect(scores.length).toBe(4);
      for (const score of scores) expect(Math.abs(score)).toBeLessThanOrEqual(1);
      expect(scores[0]).toBeGreaterThan(0.3);
      expect(scores[1]).toBeLessThan(-0.3);
      expect(scores[2]).toBe(scores[0]);
    });

    it('scores a sentence alone as among others', async context => {
      const analyzer = create(context);
      const [alone] = await analyzer.analyze([engine.negative]);
      expect(await analyzer.analyze([engine.positive, engine.negative])).toContain(alone);
    });

    it('accepts no sentences, and sentences of anything', async context => {
      const analyzer = create(context);
      expect(await analyzer.analyze([])).toEqual([]);
      const odd = ['', '…', '12', '\u{1f600}', '\u4f60\u597d', 'x'.repeat(100_000)];
      for (const score of await analyzer.analyze(odd)) expect(Math.abs(score)).toBeLessThanOrEqual(1);
    });

    it('rejects with the reason of the signal', async context => {
      const analyzing = create(context).analyze([engine.positive], {
        signal: AbortSignal.abort(new Error('enough')),
      });
      await expect(analyzing).rejects.toThrow('enough');
    });

    it('can be closed twice', async context => {
      const analyzer = create(context);
      await analyzer.close();
      await analyzer.close();
    });
  });
}
