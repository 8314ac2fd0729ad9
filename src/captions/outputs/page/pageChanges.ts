import { type CaptionStep, isKept, type RetractStep, type WordsStep } from '../../captionStep.ts';
import { SENTENCE_END } from '../../words/capitals.ts';
import { type CaptionWord, turnMark } from '../../words/captionWord.ts';
import type { PageChange } from './pageText.ts';

/** A word on the page. */
interface PageWord extends Pick<CaptionWord, 'id' | 'ts'> {
  readonly text: string;
  /** Wording in the transcript, once known. */
  readonly final?: string;
}

/** A paragraph without its final form. */
interface OpenParagraph {
  readonly number: number;
  readonly words: readonly PageWord[];
}

/** Knowledge that is needed to turn steps into changes of the page. */
export interface PageWriterState {
  /** Number of paragraphs so far. */
  readonly count: number;
  /** Oldest first; the last one grows unless `length` is 0. */
  readonly open: readonly OpenParagraph[];
  /** The latest paragraphs in their final form. */
  readonly done: readonly OpenParagraph[];
  /** Characters of the last paragraph; 0 when the next word begins one. */
  readonly length: number;
  /** True while the live area is empty. */
  readonly isBlank: boolean;
  readonly isNotice: boolean;
  readonly tail: string;
}

export const initialPageWriter: PageWriterState = {
  count: 0,
  open: [],
  done: [],
  length: 0,
  isBlank: true,
  isNotice: false,
  tail: '',
};

/** Maximum number of paragraphs that wait for their final form; older ones stay as they are. */
const MAX_OPEN = 50;
/** Paragraphs from which a typed phrase can be taken back. */
const MAX_DONE = 10;

/** Characters after which a paragraph ends with its sentence, and after which it ends anyway. */
const LONG_PARAGRAPH = 280;
const LONGEST_PARAGRAPH = 1200;

/** Converts a step to changes of the page. Pure; steps that do not concern the page have none. */
export function pageChanges(
  state: PageWriterState,
  step: CaptionStep,
): { readonly state: PageWriterState; readonly changes: readonly PageChange[] } {
  switch (step.type) {
    case 'words':
      return wordChanges(state, step);
    case 'notice': {
      if (state.isNotice) return { state, changes: [] };
      const next = ended(state, { type: 'begin', kind: 'notice', text: step.text });
      return { ...next, state: { ...next.state, count: state.count + 1, isBlank: false, isNotice: true } };
    }
    case 'clear':
    case 'end':
      return ended(state, step);
    case 'off':
      return ended({ ...state, open: [], done: [] }, step);
    case 'retract':
      return withoutTyped(state, step);
    default:
      return { state, changes: [] };
  }
}

/** Ends the growing paragraph by a change. */
function ended(state: PageWriterState, change: PageChange) {
  const { changes, ...left } = finished({ ...state, length: 0 }, undefined, change.type === 'end');
  return { state: { ...initialPageWriter, ...left, count: state.count }, changes: [...changes, change] };
}

/** Removes words that are taken back from the latest paragraphs. */
function withoutTyped(state: PageWriterState, retract: RetractStep) {
  const changes: PageChange[] = [];
  const without = ({ number, words }: OpenParagraph): OpenParagraph => {
    const left = words.filter(({ ts }) => isKept(ts, retract));
    const text = textOf(left.map(word => word.final ?? word.text));
    if (left.length < words.length) changes.push({ type: 'finish', number, text });
    return { number, words: left };
  };
  return { state: { ...state, done: state.done.map(without), open: state.open.map(without) }, changes };
}

function wordChanges(before: PageWriterState, { added, tail, wording }: WordsStep) {
  const changes: PageChange[] = [];
  const growing = before.length > 0 ? before.open.at(-1)?.words : undefined;
  const words = added.filter(
    ({ corrects }) => corrects === undefined || growing?.some(({ id }) => id === corrects),
  );
  const state = words.reduce((next, word) => addWord(next, word, changes), before);
  const text = hasRoomForTail(state) ? tail.join(' ') : '';
  // Every other change removes the tail.
  if (text !== (changes.length > 0 ? '' : before.tail)) changes.push({ type: 'tail', text });
  const { changes: finals, ...left } = finished(state, wording);
  return { state: { ...state, ...left, tail: text }, changes: [...changes, ...finals] };
}

/**
 * Splits the paragraphs: those that no longer grow and have only final words, in their final form, and the others.
 *
 * @param all finishes paragraphs with words that are not final, too
 */
function finished({ open, done, length }: PageWriterState, wording?: WordsStep['wording'], all = false) {
  const growing = length > 0 ? open.at(-1)?.number : undefined;
  const changes: PageChange[] = [];
  const over = [...done];
  const left = open.flatMap(({ number, words: before }): readonly OpenParagraph[] => {
    const words = before.map(word => ({ ...word, final: wording?.get(word.id) ?? word.final }));
    if (number === growing || (!all && words.some(({ final }) => final === undefined))) {
      return [{ number, words }];
    }
    const text = textOf(words.map(word => word.final ?? word.text));
    if (text !== textOf(words.map(word => word.text))) changes.push({ type: 'finish', number, text });
    over.push({ number, words });
    return [];
  });
  return { open: left.slice(-MAX_OPEN), done: over.slice(-MAX_DONE), changes };
}

const textOf = (texts: readonly string[]) => texts.filter(text => text !== '').join(' ');

/** A tail before a new paragraph would move into it later; in an empty live area it stays in place. */
function hasRoomForTail({ length, isBlank, isNotice }: PageWriterState): boolean {
  return !isNotice && (length > 0 || isBlank);
}

function addWord(state: PageWriterState, word: CaptionWord, changes: PageChange[]): PageWriterState {
  const text = turnMark(word) + word.text;
  const begins = word.opensTurn || word.opensParagraph || state.length === 0;
  const last = changes.at(-1);
  if (begins) changes.push({ type: 'begin', kind: word.opensTurn ? 'turn' : 'speech', text });
  else if (last?.type === 'add' || last?.type === 'begin') {
    changes[changes.length - 1] = { ...last, text: `${last.text} ${text}` };
  } else changes.push({ type: 'add', text });
  const length = (begins ? 0 : state.length) + text.length + 1;
  const isFull = length > LONGEST_PARAGRAPH || (length > LONG_PARAGRAPH && SENTENCE_END.test(text));
  const words = [...(begins ? [] : (state.open.at(-1)?.words ?? [])), { ...word, text }];
  const number = begins ? state.count : state.count - 1;
  return {
    ...state,
    count: number + 1,
    open: [...(begins ? state.open : state.open.slice(0, -1)), { number, words }],
    length: isFull ? 0 : length,
    isBlank: false,
    isNotice: false,
    tail: '',
  };
}
