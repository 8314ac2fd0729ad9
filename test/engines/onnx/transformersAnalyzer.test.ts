import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createTransformersAnalyzer,
  type TransformersOptions,
} from '../../../src/engines/onnx/transformersAnalyzer.ts';
import type { SentimentAnalyzer } from '../../../src/engines/sentimentAnalyzer.ts';
import { childrenWith, isGone } from '../../helpers/childProcesses.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { onnxGraph, onnxModel } from '../../helpers/onnxModel.ts';
import { sentimentAnalyzerContract } from '../sentimentAnalyzerContract.ts';
import { classifierModel } from './classifierModel.ts';

/** One for each test of the contract: they close what they were given. */
const ready: SentimentAnalyzer[] = [];
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rxscribe-test-'));
  const model = await classifierModel({ path: directory });
  for (let made = 0; made < 5; made++) ready.push(await createTransformersAnalyzer({ model }));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

sentimentAnalyzerContract('a text classifier', {
  create: () => ready.pop()!,
  positive: 'Lovely.',
  negative: 'awful',
});

async function open(options: TransformersOptions): Promise<SentimentAnalyzer> {
  const analyzer = await createTransformersAnalyzer(options);
  onTestFinished(() => analyzer.close());
  return analyzer;
}

const children = () => childrenWith('classifierChild');

/** Returns the mean of the logits of these words with [CLS] and [SEP]. */
function probabilities(sums: readonly number[], words: number): readonly number[] {
  const powers = sums.map(sum => Math.exp(sum / words));
  return powers.map(power => power / powers.reduce((one, other) => one + other));
}

describe('a text classifier', { timeout: 120_000 }, () => {
  test('scores the probability of positive minus that of negative', async () => {
    const analyzer = await open({ model: await classifierModel() });
    const [score] = await analyzer.analyze(['lovely awful awful']);
    const [negative, , positive] = probabilities([-9 + 60, 2, 30 - 18], 5);
    expect(score).toBeCloseTo(positive! - negative!, 5);
  });

  test('scores stars by their mean', async () => {
    const labels = ['1 star', '3 stars', '5 stars'];
    const analyzer = await open({ model: await classifierModel({ labels }) });
    const [score] = await analyzer.analyze(['awful lovely lovely']);
    const [one, , five] = probabilities([30 - 18, 2, -9 + 60], 5);
    expect(score).toBeCloseTo(five! - one!, 5);
  });

  test('reads no more tokens than the model takes, including those that frame a text', async () => {
    const analyzer = await open({ model: await classifierModel({ positions: 8 }) });
    const text = `${'lovely '.repeat(6)}`;
    const [whole, more] = await analyzer.analyze([text, `${text} ${'awful '.repeat(10_000)}`]);
    const [negative, , positive] = probabilities([-9 * 6, 2, 30 * 6], 8);
    expect(whole).toBeCloseTo(positive! - negative!, 5);
    expect(more).toBe(whole);
  });

  test('keeps the order of sentences of different lengths, over many calls', async () => {
    const analyzer = await open({ model: await classifierModel() });
    const sentences = Array.from({ length: 100 }, (_, index) =>
      (index % 3 === 0 ? 'lovely ' : 'awful ').repeat(1 + (index % 7)),
    );
    const scores = await analyzer.analyze(sentences);
    expect(scores.map(Math.sign)).toEqual(sentences.map(text => (text.startsWith('lovely') ? 1 : -1)));
  });

  test.for([
    ['', ['en']],
    ['---\nlicense: mit\nlanguage: fr\ntags:\n- x\n---\n# A model', ['fr']],
    ['---\nlanguage:\n- en\n- de\n- multilingual\ntags:\n- it\n---', ['en', 'de']],
    ['---\nlanguage: [es, "nl"]\n---', ['es', 'nl']],
  ] as const)('has the languages that its card %j names', async ([card, languages]) => {
    expect((await open({ model: await classifierModel({ card }) })).languages).toEqual(languages);
  });

  test('has the given languages', async () => {
    const analyzer = await open({ model: await classifierModel(), languages: ['sv'] });
    expect(analyzer.languages).toEqual(['sv']);
  });

  test.for([
    [['LABEL_0', 'LABEL_1', 'LABEL_2'], "its labels are 'LABEL_0, LABEL_1, LABEL_2'"],
    [['positive', 'neutral', 'neutral'], "its labels are 'positive, neutral, neutral'"],
  ] as const)('with the labels %j is rejected', async ([labels, message]) => {
    const creating = createTransformersAnalyzer({ model: await classifierModel({ labels }) });
    await expect(creating).rejects.toMatchObject(errorLike('engine-missing', message));
  });

  test('rejects a model of another kind', async () => {
    const model = { ...(await classifierModel()), kind: 'whisper' as const };
    await expect(createTransformersAnalyzer({ model })).rejects.toMatchObject({ code: 'engine-missing' });
  });
});

describe('a broken text classifier', { timeout: 120_000 }, () => {
  test.for(['model', 'tokenizer'] as const)('with a truncated %s is reported', async which => {
    const model = await classifierModel();
    await truncate(model.files[which]!, 100);
    const analyzing = (await open({ model })).analyze(['lovely']);
    await expect(analyzing).rejects.toMatchObject(errorLike('engine-failed', model.files[which]!));
  });

  test('with an output of another shape is reported', async () => {
    const model = await classifierModel();
    const cast = onnxGraph(`
      (int64[batch, length] input_ids) => (float[batch, length] logits)
      logits = Cast<to = 1>(input_ids)
    `);
    await writeFile(model.files.model!, onnxModel(cast));
    await expect((await open({ model })).analyze(['lovely lovely'])).rejects.toThrow(
      'its logits are float32 of 1 x 4, not 1 x 3',
    );
  });

  test('fails waiting calls when its process ends, and works again', async () => {
    const before = children();
    const analyzer = await open({ model: await classifierModel() });
    await analyzer.analyze(['lovely']);
    const [child] = children().filter(id => !before.includes(id));
    // It must not answer before it is gone.
    process.kill(child!, 'SIGSTOP');
    const analyzing = analyzer.analyze(['lovely']);
    process.kill(child!, 'SIGKILL');
    await expect(analyzing).rejects.toMatchObject({ code: 'engine-failed' });
    expect((await analyzer.analyze(['lovely']))[0]).toBeGreaterThan(0.3);
  });

  test('leaves no process when it is closed, and fails waiting calls', async () => {
    const before = children();
    const analyzer = await open({ model: await classifierModel() });
    const analyzing = analyzer.analyze(['lovely']);
    analyzing.catch(() => {});
    const [child] = children().filter(id => !before.includes(id));
    await analyzer.close();
    await expect(analyzing).rejects.toMatchObject({ code: 'engine-failed' });
    expect(isGone(child!)).toBe(true);
    await expect(analyzer.analyze(['lovely'])).rejects.toThrow('closed');
  });
});
