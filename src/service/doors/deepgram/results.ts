import { wireSeconds } from '../../../protocol/transcriptJson.ts';
import { type TranscriptElement, textOf } from '../../../transcript/model/model.ts';
import type { ListenOptions } from './listenOptions.ts';

/** A word in Deepgram's shape. */
export interface ListenWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  readonly punctuated_word?: string;
  readonly speaker?: number;
}

/** Text with its words in Deepgram's shape. */
export interface Alternative {
  readonly transcript: string;
  readonly confidence: number;
  readonly words: readonly ListenWord[];
}

type Shape = Pick<ListenOptions, 'isWritten' | 'hasSpeakers'>;

/** Returns the words of one speaker. */
export function wordsOf(
  elements: readonly TranscriptElement[],
  speaker: number,
  { isWritten, hasSpeakers }: Shape,
): readonly ListenWord[] {
  const words: { -readonly [Key in keyof ListenWord]: ListenWord[Key] }[] = [];
  // Marks before a word, such as quotes.
  let opening = '';
  let isAttached = false;
  for (const element of elements) {
    if (element.type === 'text') {
      const { value, ts: start = 0, endTs: end = start, confidence = 1 } = element;
      const word = bareWord(value);
      const punctuated = isWritten && { punctuated_word: opening + value };
      words.push({ word, start, end, confidence, ...punctuated, ...(hasSpeakers && { speaker }) });
      opening = '';
    } else if (element.type === 'punct' && isWritten && element.value !== ' ') {
      if (isAttached) words.at(-1)!.punctuated_word += element.value;
      else opening += element.value;
    }
    isAttached = words.length > 0 && element.value !== ' ' && opening === '';
  }
  return words;
}

/** @example bareWord('“Hello,') // 'hello' */
function bareWord(value: string): string {
  return value.toLowerCase().replace(/^["“(]+|[.,!?;:"”)…]+$/gu, '') || value;
}

/** Returns text with its words. */
export function alternativeOf(transcript: string, words: readonly ListenWord[]): Alternative {
  const sum = words.reduce((total, { confidence }) => total + confidence, 0);
  return { transcript, confidence: words.length === 0 ? 0 : wireSeconds(sum / words.length), words };
}

/** Returns the text of elements with its words. */
export function spokenAlternative(
  elements: readonly TranscriptElement[],
  speaker: number,
  shape: Shape,
): Alternative {
  return alternativeOf(textOf(elements).trim(), wordsOf(elements, speaker, shape));
}

/** Returns the model of results, named after the recogniser. */
export function modelInfo(name: string) {
  return { name, version: '1', arch: name };
}
