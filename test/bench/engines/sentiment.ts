/**
 * Measures sentiment on sentences of reviews labelled negative or positive (Kotzias et al., 2015, "Sentiment
 * Labelled Sentences", UCI), which come with the tests of an npm package. To get them:
 *
 *     npm pack sentiment@5.0.2 && tar xzf sentiment-5.0.2.tgz
 *     export RXSCRIBE_SENTIMENT_DATA=$PWD/package/test/fixtures
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVaderAnalyzer } from '../../../src/engines/sentiment/vaderAnalyzer.ts';
import type { SentimentAnalyzer } from '../../../src/engines/sentimentAnalyzer.ts';
import { sentimentOf } from '../../../src/service/tasks/sentiment.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';

/**
 * A directory with a JSON file for each set: an array of `text` and `class` (0 is negative, 1 is positive).
 */
const SENTIMENT_DATA = process.env.RXSCRIBE_SENTIMENT_DATA;

/**
 * Published accuracy of AFINN in README.md of npm's sentiment 5.0.2, where a score of 0 counts as positive.
 */
const AFINN: Readonly<Record<string, number>> = { amazon: 72.6, imdb: 76.5, yelp: 69.6 };

interface Labelled {
  readonly text: string;
  readonly class: 0 | 1;
}

/** Measures how often the sentiment is right, for sentences as written and as recognised. */
export async function run(): Promise<void> {
  if (!SENTIMENT_DATA) {
    console.log('no labelled sentences: see test/bench/engines/sentiment.ts');
    return;
  }
  const rows: unknown[] = [];
  await using analyzer = createVaderAnalyzer();
  for (const set of sets(SENTIMENT_DATA)) {
    rows.push(await measure(analyzer, set, set.sentences));
    const heard = set.sentences.map(sentence => ({ ...sentence, text: asHeard(sentence.text) }));
    rows.push(await measure(analyzer, { name: `${set.name}, as heard` }, heard));
  }
  console.table(rows);
}

function sets(
  directory: string,
): readonly { readonly name: string; readonly sentences: readonly Labelled[] }[] {
  return readdirSync(directory)
    .filter(file => file.endsWith('.json'))
    .sort()
    .map(file => ({
      name: file.slice(0, -'.json'.length),
      sentences: (JSON.parse(readFileSync(join(directory, file), 'utf8')) as Labelled[]).filter(
        // Each set ends with an empty sentence.
        ({ text }) => text !== '',
      ),
    }));
}

/** Returns a sentence in lower case, without punctuation. */
function asHeard(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}'\s]+/gu, ' ');
}

async function measure(
  analyzer: SentimentAnalyzer,
  { name }: { readonly name: string },
  sentences: readonly Labelled[],
): Promise<unknown> {
  let scores: readonly number[] = [];
  const seconds = await cpuSecondsOf(async () => {
    scores = await analyzer.analyze(sentences.map(({ text }) => text));
  });
  const of = sentences.map(({ class: label }, index) => ({ label, score: scores[index]! }));
  const share = (part: number, whole: number) => Number(((100 * part) / whole).toFixed(1));
  const scored = of.filter(({ score }) => sentimentOf(score) !== 'neutral');
  const right = scored.filter(({ label, score }) => label === (score > 0 ? 1 : 0)).length;
  return {
    set: name,
    sentences: of.length,
    // No sentence is neutral, so "neutral" is wrong.
    'right of three %': share(right, of.length),
    'called neutral %': share(of.length - scored.length, of.length),
    'right of the others %': share(right, scored.length),
    'right of two %': share(
      of.filter(({ label, score }) => label === (score >= 0 ? 1 : 0)).length,
      of.length,
    ),
    'AFINN of two % (published)': AFINN[name] ?? '',
    'CPU ms a sentence': Number(((1000 * seconds) / of.length).toFixed(2)),
  };
}
