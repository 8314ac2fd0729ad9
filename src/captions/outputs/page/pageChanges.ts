import type { CaptionStep, WordsStep } from '../../captionStep.ts';
import { type CaptionWord, turnMark } from '../../words/captionWord.ts';
import type { PageChange } from './pageText.ts';

/** Knowledge that is needed to turn steps into changes of the page. */
export interface PageWriterState {
  /** Ids of the latest words of the live area, which may be corrected there. */
  readonly recent: readonly number[];
  /** Characters of the last paragraph; 0 when the next word begins one. */
  readonly length: number;
  /** True when the last word is a correction apart, after which a paragraph begins. */
  readonly isAside: boolean;
  readonly isNotice: boolean;
  readonly tail: string;
}

export const initialPageWriter: PageWriterState = {
  recent: [],
  length: 0,
  isAside: false,
  isNotice: false,
  tail: '',
};

/** Words that a reader may still see; a correction of an older one would come out of nowhere. */
const RECENT_WORDS = 60;

/** Characters after which a paragraph ends with its sentence, and after which it ends anyway. */
const LONG_PARAGRAPH = 280;
const LONGEST_PARAGRAPH = 1200;

const SENTENCE_END = /[.!?…。！？؟۔।]["'”’»)\]]*$/u;

/** Converts a step to changes of the page. Pure; steps that do not concern the page have none. */
export function pageChanges(
  state: PageWriterState,
  step: CaptionStep,
): { readonly state: PageWriterState; readonly changes: readonly PageChange[] } {
  switch (step.type) {
    case 'words':
      return wordChanges(state, step);
    case 'notice':
      if (state.isNotice) return { state, changes: [] };
      return {
        state: { ...initialPageWriter, recent: state.recent, isNotice: true },
        changes: [{ type: 'begin', kind: 'notice', text: step.text }],
      };
    case 'clear':
    case 'off':
      return { state: initialPageWriter, changes: [{ type: step.type }] };
    case 'end':
      return { state: initialPageWriter, changes: [{ type: 'end' }] };
    default:
      return { state, changes: [] };
  }
}

function wordChanges(before: PageWriterState, { added, tail }: WordsStep) {
  const changes: PageChange[] = [];
  const words = added.filter(({ corrects }) => corrects === undefined || before.recent.includes(corrects));
  const state = words.reduce((next, word) => addWord(next, word, changes), before);
  const text = hasRoomForTail(state) ? tail.join(' ') : '';
  // Every other change removes the tail.
  if (text !== (changes.length > 0 ? '' : before.tail)) changes.push({ type: 'tail', text });
  return { state: { ...state, tail: text }, changes };
}

/** A tail before a paragraph that is not begun would move to it; in an empty live area it stays where it is. */
function hasRoomForTail({ length, recent, isAside, isNotice }: PageWriterState): boolean {
  return !isNotice && !isAside && (length > 0 || recent.length === 0);
}

function addWord(state: PageWriterState, word: CaptionWord, changes: PageChange[]): PageWriterState {
  const text = turnMark(word) + word.text;
  const begins = word.opensTurn || state.length === 0 || (state.isAside && !word.aside);
  const last = changes.at(-1);
  if (begins) changes.push({ type: 'begin', kind: word.opensTurn ? 'turn' : 'speech', text });
  else if (last?.type === 'add' || last?.type === 'begin') {
    changes[changes.length - 1] = { ...last, text: `${last.text} ${text}` };
  } else changes.push({ type: 'add', text });
  const length = (begins ? 0 : state.length) + text.length + 1;
  const isFull = length > LONGEST_PARAGRAPH || (length > LONG_PARAGRAPH && SENTENCE_END.test(text));
  return {
    recent: [...state.recent, word.id].slice(-RECENT_WORDS),
    length: isFull ? 0 : length,
    isAside: word.aside === true,
    isNotice: false,
    tail: '',
  };
}
