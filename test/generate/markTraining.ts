import { FEATURES } from '../../src/engines/text/markFeatures.ts';

/** Training data: a class (0 for none) by features. */
export interface Example {
  readonly features: readonly number[];
  readonly head: 'behind' | 'atEnd' | 'asks';
  readonly target: 0 | 1 | 2;
}

/** Weights by feature for the classes 1 and 2, and what each head adds. */
export interface Learnt {
  readonly weights: readonly [Float32Array, Float32Array];
  readonly biases: Readonly<Record<Example['head'], [number, number]>>;
  /** The features that have weights, lowest first. */
  readonly kept: readonly number[];
}

const RATE = 0.25;
const BIAS_RATE = 0.002;
const [FIRST_ROUNDS, LAST_ROUNDS] = [4, 2];

/**
 * Softmax regression by stochastic gradients, each weight at its own pace (AdaGrad, Duchi et al. 2011). When the weights
 * are known roughly, only those that matter most are kept and learnt to the end.
 */
export function learn(
  all: readonly Example[],
  { keepCount, minCount }: { readonly keepCount: number; readonly minCount: number },
): Learnt {
  const counts = new Uint32Array(FEATURES);
  for (const { features } of all) for (const feature of features) counts[feature]!++;
  const table: Learnt = {
    weights: [new Float32Array(FEATURES), new Float32Array(FEATURES)],
    biases: { behind: [-2, -2.5], atEnd: [-2, -2.5], asks: [-3, 0] },
    kept: [],
  };
  const squares = [new Float32Array(FEATURES).fill(1), new Float32Array(FEATURES).fill(1)] as const;
  const frequent = only(all, feature => counts[feature]! >= minCount);
  train(frequent, table, squares, FIRST_ROUNDS);
  const [comma, end] = table.weights;
  const weightOf = (feature: number) =>
    Math.sqrt(counts[feature]!) * Math.max(Math.abs(comma[feature]!), Math.abs(end[feature]!));
  const kept = [...counts.keys()]
    .filter(feature => comma[feature] !== 0 || end[feature] !== 0)
    .sort((one, other) => weightOf(other) - weightOf(one))
    .slice(0, keepCount)
    .sort((one, other) => one - other);
  const isKept = new Uint8Array(FEATURES);
  for (const feature of kept) isKept[feature] = 1;
  for (const weights of table.weights) for (const at of weights.keys()) weights[at]! *= isKept[at]!;
  train(
    only(frequent, feature => isKept[feature] === 1),
    table,
    squares,
    LAST_ROUNDS,
  );
  return { ...table, kept };
}

function only(examples: readonly Example[], wanted: (feature: number) => boolean): readonly Example[] {
  return examples.map(example => ({ ...example, features: example.features.filter(wanted) }));
}

function train(
  examples: readonly Example[],
  { weights, biases }: Learnt,
  squares: readonly [Float32Array, Float32Array],
  rounds: number,
): void {
  const next = randomNumbers(examples.length);
  for (let left = examples.length * rounds; left > 0; left--) {
    const { features, head, target } = examples[next()]!;
    const bias = biases[head];
    const logits = [bias[0], head === 'asks' ? -Infinity : bias[1]] as [number, number];
    for (const feature of features) {
      logits[0] += weights[0][feature]!;
      logits[1] += weights[1][feature]!;
    }
    const highest = Math.max(0, ...logits);
    const [one, two] = [Math.exp(logits[0] - highest), Math.exp(logits[1] - highest)];
    const sum = Math.exp(-highest) + one + two;
    for (const [column, chance] of [one / sum, two / sum].entries()) {
      const error = chance - (target === column + 1 ? 1 : 0);
      if (error === 0) continue;
      bias[column]! -= BIAS_RATE * error;
      for (const feature of features) {
        squares[column]![feature]! += error * error;
        weights[column]![feature]! -= (RATE * error) / Math.sqrt(squares[column]![feature]!);
      }
    }
  }
}

/** The same numbers each time, so that the same text gives the same model. */
function randomNumbers(below: number): () => number {
  let seed = 1;
  return () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}
