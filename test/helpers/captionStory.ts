import type { TranscriptEvent } from '../../src/transcript/model/events.ts';
import { final, partial } from './transcriptEvents.ts';

const SENTENCES = [
  'And Mister John Dashwood had then leisure to consider how much there might be prudently in his power to do for them.',
  'He was not an ill-disposed young man.',
  'Unless to be rather cold-hearted and rather selfish is to be ill disposed.',
  'Had he married a more amiable woman, he might have been made still more respectable than he was.',
];

/** A word of the story that is heard wrong until its sentence is final. */
const MISHEARD = new Map([['leisure', 'seizure']]);
const SECONDS_PER_WORD = 0.4;

/** Text of the story's transcript. */
export const storyText = SENTENCES.join(' ');

/** A session of several sentences: two partials a word, of which the first often has its last word wrong, and a final each. */
export function captionStory(): TranscriptEvent[] {
  let at = 0;
  return SENTENCES.flatMap(sentence => {
    const words = sentence
      .toLowerCase()
      .replace(/[.,]/g, '')
      .split(/[ -]/)
      .map(word => MISHEARD.get(word) ?? word);
    const start = at;
    at += (words.length + 1) * SECONDS_PER_WORD;
    const partials = words.flatMap((_, index) => {
      const heard = words.slice(0, index + 1);
      const end = start + (index + 1) * SECONDS_PER_WORD;
      const wrong = index % 3 === 2 ? heard.with(-1, 'wrong') : heard;
      return [partial(wrong.join(' '), start, end - 0.2), partial(heard.join(' '), start, end)];
    });
    return [...partials, final(sentence, start, at)];
  });
}
