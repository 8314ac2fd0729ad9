import type { PageWord } from '../pageData.ts';
import type { PageElement } from './dom.ts';

/** What a walk does with a word. */
export interface WalkSteps {
  /** Brings it into sight. */
  reveal(seconds: number): void;
  /** Plays from it. */
  seek(seconds: number): void;
}

export interface WordWalk {
  /** To the next error, or back to the one before. */
  toError(direction: 1 | -1): void;
}

/** Makes buttons of words one stop of the tab key, in which arrows go from word to word. */
export function makeWordWalk(
  strip: PageElement,
  words: readonly PageWord[],
  buttons: readonly PageElement[],
  { reveal, seek }: WalkSteps,
): WordWalk {
  let current = 0;
  const choose = (index: number, act: (seconds: number) => void) => {
    if (!buttons[index]) return;
    buttons[current]!.tabIndex = -1;
    current = index;
    buttons[index].tabIndex = 0;
    buttons[index].focus({ preventScroll: true });
    act((words[index]!.hypothesis ?? words[index]!.reference)!.ts);
  };
  if (buttons[0]) buttons[0].tabIndex = 0;
  strip.addEventListener('click', ({ target }) => {
    const word = target.closest('.word');
    if (word) choose(Number(word.dataset.index ?? word.dataset.at), seek);
  });
  strip.addEventListener('keydown', event => {
    const ends: Readonly<Record<string, number>> = { Home: 0, End: buttons.length - 1 };
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const index = step === undefined ? ends[event.key] : current + step;
    if (index === undefined) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(buttons.length - 1, index)), reveal);
  });
  return {
    toError(direction) {
      let index = current + direction;
      while (words[index]?.type === 'hit') index += direction;
      choose(index, seek);
    },
  };
}
