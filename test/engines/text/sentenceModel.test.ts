import { describe, expect, it } from 'vitest';
import { loadSentenceModel, readSentenceModel } from '../../../src/engines/text/sentenceModel.ts';
import { SENTENCE_MODEL_DATA } from '../../../src/engines/text/sentenceModelData.ts';

describe('the sentence model', () => {
  it('is small, and read once', async () => {
    expect(SENTENCE_MODEL_DATA.length).toBeLessThan(200_000);
    expect(await loadSentenceModel()).toBe(await loadSentenceModel());
  });

  it('returns probabilities that sum to 1, for any words', async () => {
    const model = await loadSentenceModel();
    for (const words of [['we', 'went', 'home', 'then'], ['x'], ['你好', '']]) {
      for (const chances of [model.behind(words, 0), model.atEnd(words)]) {
        expect(chances.none + chances.comma + chances.end).toBeCloseTo(1);
      }
      expect(model.asks(words)).toBeGreaterThanOrEqual(0);
      expect(model.asks(words)).toBeLessThanOrEqual(1);
    }
  });

  it('finds an end likelier after a clause than within one', async () => {
    const model = await loadSentenceModel();
    const said = 'we went home this is the house'.split(' ');
    expect(model.behind(said, 2).end).toBeGreaterThan(10 * model.behind(said, 5).end);
    expect(model.atEnd(['we', 'went', 'home']).end).toBeGreaterThan(
      10 * model.atEnd(['went', 'to', 'the']).end,
    );
    expect(model.asks(['what', 'is', 'it'])).toBeGreaterThan(2 * model.asks(['this', 'is', 'it']));
  });

  it.each([
    [['america'], 'America'],
    [['states', 'united'], 'States'],
    [['white', undefined, 'house'], 'White'],
    [['white', undefined, 'wall'], 'white'],
    [['miss', 'i', 'you'], 'miss'],
    [['bath', 'a'], 'bath'],
    [['street', 'the'], 'street'],
    [['street', 'wall'], 'Street'],
    [['government', 'the'], 'government'],
    [['constructor'], 'constructor'],
  ] as const)('writes %j as "%s"', async ([word, before, next], written) => {
    expect((await loadSentenceModel()).cased(word, before, next)).toBe(written);
  });

  it.each(['{"format":"sentence-model","version":2}\n', '{"format":"other"}\n', '', 'PK\u0003\u0004'])(
    'is not read from %j',
    bytes => {
      expect(() => readSentenceModel(Buffer.from(bytes))).toThrow("not 'sentence-model' in version 1.");
    },
  );
});
