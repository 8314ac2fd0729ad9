import { randomUUID } from 'node:crypto';
import { wireSeconds } from '../../../protocol/transcriptJson.ts';
import { type Transcript, type TranscriptElement, textOf } from '../../../transcript/model/model.ts';
import { spokenOnly } from '../spokenOnly.ts';
import type { ListenOptions, RecordingOptions } from './listenOptions.ts';

type Shape = Pick<ListenOptions, 'isWritten' | 'hasSpeakers'>;

type ListenWords = ReturnType<typeof wordsOf>;
/** Text with its words in Deepgram's shape. */
export type Alternative = ReturnType<typeof alternativeOf>;

function wordsOf(elements: readonly TranscriptElement[], speaker: number, { isWritten, hasSpeakers }: Shape) {
  return elements.flatMap((element, index) => {
    if (element.type !== 'text') return [];
    const { value, ts: start = 0, endTs: end = start, confidence = 1 } = element;
    // A mark without a space before it belongs to the word before, one after a space or before the first word to the next word.
    const written = marksBefore(elements, index) + value + marksAfter(elements, index);
    return {
      word: value.toLowerCase().replace(/^["“(]+|[.,!?;:"”)…]+$/gu, '') || value,
      start,
      end,
      confidence,
      ...(isWritten && { punctuated_word: written }),
      ...(hasSpeakers && { speaker }),
    };
  });
}

function marksAfter(elements: readonly TranscriptElement[], index: number): string {
  let next = index + 1;
  let marks = '';
  for (; elements[next]?.type === 'punct' && elements[next]!.value !== ' '; next++)
    marks += elements[next]!.value;
  return marks;
}

function marksBefore(elements: readonly TranscriptElement[], index: number): string {
  let at = index;
  while (elements[at - 1]?.type === 'punct' && elements[at - 1]!.value !== ' ') at--;
  // Marks directly after a word belong to that word.
  return elements[at - 1]?.type === 'text' ? '' : marksAfter(elements, at - 1);
}

/** Returns text with its words. */
export function alternativeOf(transcript: string, words: ListenWords) {
  const sum = words.reduce((total, { confidence }) => total + confidence, 0);
  return { transcript, confidence: words.length === 0 ? 0 : wireSeconds(sum / words.length), words };
}

/** Returns the text of elements with its words. */
export function spokenAlternative(
  elements: readonly TranscriptElement[],
  speaker: number,
  shape: Shape,
): Alternative {
  const spoken = spokenOnly(elements);
  return alternativeOf(textOf(spoken).trim(), wordsOf(spoken, speaker, shape));
}

/** Returns the model of results, named after the recogniser. */
export function modelInfo(name: string) {
  return { name, version: '1', arch: name };
}

/** Returns the results of a recording. Where channels are apart, each is a speaker. */
export function recordingResults({ monologues }: Transcript, count: number, options: RecordingOptions) {
  const turns = monologues.map(({ elements, speaker }) => ({
    channel: options.isByChannel ? speaker : 0,
    ...spokenAlternative(elements, speaker, options),
  }));
  const channels = Array.from({ length: count }, (_, index) => {
    const own = turns.filter(({ channel }) => channel === index);
    const text = own.map(({ transcript }) => transcript).join(' ');
    return {
      alternatives: [
        alternativeOf(
          text,
          own.flatMap(({ words }) => words),
        ),
      ],
    };
  });
  return {
    channels,
    ...(options.hasUtterances && {
      utterances: turns.flatMap(turn => utterancesIn(turn, options.gapSeconds)),
    }),
  };
}

/** Returns the parts of a turn between pauses. */
function utterancesIn({ words, channel }: Alternative & { readonly channel: number }, gapSeconds: number) {
  const parts: ListenWords[] = [];
  for (const word of words) {
    const last = parts.at(-1);
    if (last && word.start - last.at(-1)!.end < gapSeconds) last.push(word);
    else parts.push([word]);
  }
  return parts.map(part => ({
    start: part[0]!.start,
    end: part.at(-1)!.end,
    channel,
    ...alternativeOf(part.map(({ word, punctuated_word: written = word }) => written).join(' '), part),
    ...(part[0]!.speaker !== undefined && { speaker: part[0]!.speaker }),
    id: randomUUID(),
  }));
}
