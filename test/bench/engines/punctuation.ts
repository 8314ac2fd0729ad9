import type { SpokenUtterance } from '../../../src/engines/punctuator.ts';
import { plainSentence } from '../../../src/engines/text/plainSentences.ts';
import { createPunctuator } from '../../../src/engines/text/punctuator.ts';
import { type MarkScores, scoreMarks, writtenBy } from '../../helpers/markScores.ts';
import { heldOutText, SPEAKERS, spokenWords } from '../../helpers/pausedText.ts';
import { jointRows } from './parts/joints.ts';

/** Published results of this kind of model on other text, from before this one was built. */
const PUBLISHED = { ends: 0.66, commas: 0.39, capitals: 0.94 };

/**
 * Measures marks and capitals of text outside the training data, with invented pauses, next to one sentence
 * for each utterance; then the ends of the utterances of real recordings, as streams and as recordings.
 */
export async function run(): Promise<void> {
  await using punctuator = createPunctuator();
  const rule = async (utterance: SpokenUtterance) => plainSentence(utterance);
  const rows: Record<string, string | number>[] = [];
  for (const [name, text] of Object.entries(heldOutText())) {
    for (const [speaker, pauses] of Object.entries(SPEAKERS)) {
      const words = spokenWords(text, pauses);
      const row = { text: `${name}, ${text.length} words`, speaker };
      rows.push({
        ...row,
        way: 'a sentence a pause',
        ...shown(scoreMarks(text, await writtenBy(rule, words))),
      });
      for (const isLive of [true, false]) {
        const written = await writtenBy(punctuator.punctuate, words, { isLive });
        rows.push({ ...row, way: isLive ? 'stream' : 'recording', ...shown(scoreMarks(text, written)) });
      }
    }
  }
  console.table(rows);
  console.log('Found possible with such a model:', PUBLISHED);
  console.table(await jointRows());
}

function shown({ end, comma, question, capitals, allCapitals }: MarkScores): Record<string, string> {
  const of = ({ precision, recall, f1 }: MarkScores['end']) =>
    Number.isNaN(f1) ? '-' : [precision, recall, f1].map(part => part.toFixed(2)).join(' / ');
  return {
    'ends P / R / F1': of(end),
    'commas P / R / F1': of(comma),
    'questions P / R / F1': of(question),
    'capitals within': capitals.toFixed(3),
    'of all words': allCapitals.toFixed(3),
  };
}
