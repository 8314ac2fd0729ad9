import { SPEAKER_MARK } from '../../transcript/cues/cue.ts';
import type { CaptionStep, WordsStep } from '../captionStep.ts';
import type { CaptionWord } from '../words/captionWord.ts';

/** Maximum number of shown words that can be corrected: those of an utterance that was interrupted. */
const REMEMBERED_WORDS = 200;

/**
 * Creates a function that holds words back until their utterance is final, for outputs that show whole blocks of text. They
 * are then shown in the wording of the transcript, so that no correction is needed.
 */
export function blockDisplay(): (step: CaptionStep) => CaptionStep {
  const display = new BlockDisplay();
  return step => {
    if (step.type === 'off') display.forget();
    return step.type === 'words' ? display.release(step) : step;
  };
}

class BlockDisplay {
  /** Words that are held back, by id. */
  readonly #held = new Map<number, CaptionWord>();
  /** Ids of the shown words by the ids of the words that were held back, oldest first. */
  readonly #shown = new Map<number, readonly number[]>();
  #nextId = 0;

  forget(): void {
    this.#held.clear();
    this.#shown.clear();
  }

  release({ added, wording, endTs }: WordsStep): WordsStep {
    const finals = this.#reworded(wording);
    for (const word of added) {
      if (word.corrects === undefined) this.#held.set(word.id, word);
    }
    const shown: CaptionWord[] = [];
    const ends = new Map<number, number>();
    for (const [id, held] of this.#held) {
      const final = wording.get(id);
      if (final === undefined) continue;
      this.#held.delete(id);
      const words = this.#wordsOf(final, finals, held);
      this.#remember(
        id,
        words.map(word => word.id),
      );
      shown.push(...words);
      const end = endTs?.get(id);
      if (end !== undefined) for (const word of words) ends.set(word.id, end);
    }
    return { type: 'words', added: shown, tail: [], wording: finals, endTs: ends };
  }

  /** Returns the words of a final text, whose wording is added to `finals`. */
  #wordsOf(final: string, finals: Map<number, string>, held: CaptionWord): readonly CaptionWord[] {
    const { ts, opensParagraph } = held;
    // The name of a speaker may be known with the final only.
    const opensTurn = final.startsWith(SPEAKER_MARK);
    const texts = final.replace(SPEAKER_MARK, '').split(' ').filter(Boolean);
    return texts.map((text, index) => {
      const opens = opensTurn && index === 0;
      const id = this.#nextId++;
      finals.set(id, opens ? SPEAKER_MARK + text : text);
      return {
        id,
        text,
        ts,
        ...(opens && { opensTurn }),
        ...(opensParagraph && index === 0 && { opensParagraph }),
      };
    });
  }

  /** Returns the new wording of shown words. */
  #reworded(wording: WordsStep['wording']): Map<number, string> {
    const finals = new Map<number, string>();
    for (const [id, text] of wording) {
      const [first, ...rest] = this.#shown.get(id) ?? [];
      if (first === undefined) continue;
      finals.set(first, text);
      for (const other of rest) finals.set(other, '');
    }
    return finals;
  }

  #remember(id: number, ids: readonly number[]): void {
    this.#shown.set(id, ids);
    for (const oldest of this.#shown.keys()) {
      if (this.#shown.size <= REMEMBERED_WORDS) return;
      this.#shown.delete(oldest);
    }
  }
}
