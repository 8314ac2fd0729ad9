import { SPEAKER_MARK } from '../../transcript/cues/cue.ts';
import type { CaptionStep, WordsStep } from '../captionStep.ts';
import type { CaptionWord } from '../words/captionWord.ts';

/**
 * Creates a function that holds words back until their utterance is final, for outputs that show whole blocks of text. They
 * are then shown in the wording of the transcript, so that no correction is needed.
 */
export function blockDisplay(): (step: CaptionStep) => CaptionStep {
  const held = new Set<number>();
  let nextId = 0;
  const release = ({ added, wording }: WordsStep): WordsStep => {
    for (const word of added) if (word.corrects === undefined) held.add(word.id);
    const shown: CaptionWord[] = [];
    const finals = new Map<number, string>();
    for (const id of held) {
      const final = wording.get(id);
      if (final === undefined) continue;
      held.delete(id);
      // The name of a speaker may be known with the final only.
      const opensTurn = final.startsWith(SPEAKER_MARK);
      const words = final.replace(SPEAKER_MARK, '').split(' ').filter(Boolean);
      for (const [index, text] of words.entries()) {
        const opens = opensTurn && index === 0;
        finals.set(nextId, opens ? SPEAKER_MARK + text : text);
        shown.push({ id: nextId++, text, ...(opens && { opensTurn }) });
      }
    }
    return { type: 'words', added: shown, tail: [], wording: finals };
  };
  return step => {
    if (step.type === 'off') held.clear();
    return step.type === 'words' ? release(step) : step;
  };
}
