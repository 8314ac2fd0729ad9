import { RxscribeError } from '../../base/errors.ts';

/** What labels of sentiment classifiers are worth, in lower case. */
const VALUES: Readonly<Record<string, number>> = {
  positive: 1,
  pos: 1,
  neutral: 0,
  neu: 0,
  negative: -1,
  neg: -1,
};
const STARS = /^([1-5]) stars?$/;

/**
 * What each label of a classifier is worth, from -1 to 1, in the order of its outputs: the score of a sentence is the
 * sum of these, each weighted by its probability. "positive" is worth 1, "neutral" 0, "negative" -1; "1 star" to
 * "5 stars" go from -1 to 1 in equal steps.
 *
 * @param labels `id2label` of config.json
 * @throws RxscribeError `engine-missing` when a label is none of these
 */
export function valuesOfLabels(labels: Readonly<Record<string, unknown>>): readonly number[] {
  const names = Object.keys(labels).map((_, index) => String(labels[index]));
  const values = names.map(worthOf);
  if (values.some(value => value > 0) && values.some(value => value < 0)) return values;
  throw unusable(names);

  function worthOf(name: string): number {
    const label = name.toLowerCase();
    const stars = STARS.exec(label)?.[1];
    const value = stars === undefined ? VALUES[label] : (Number(stars) - 3) / 2;
    if (value === undefined) throw unusable(names);
    return value;
  }
}

function unusable(names: readonly string[]): RxscribeError {
  const wanted = 'positive, negative and neutral, or 1 star to 5 stars';
  return new RxscribeError(
    'engine-missing',
    `load sentiment model: wanted the labels ${wanted}, found ${names.join(', ')}. Name them in id2label of config.json`,
  );
}
