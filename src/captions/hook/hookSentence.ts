import { timedTokens } from '../../transcript/cues/timedTokens.ts';
import type { FinalEvent, LiveEvent, RepairEvent } from '../../transcript/model/events.ts';
import type { Monologue, TranscriptElement } from '../../transcript/model/model.ts';
import { sentencesOf } from '../../transcript/text/sentences.ts';
import { elementsOfTokens, tokensOf } from '../../transcript/text/tokens.ts';

/** A sentence of final text, for a text hook. */
export interface HookSentence {
  readonly text: string;
  /** Speaker number; absent without speakers. */
  readonly speaker?: number;
  /** Channel, when channels are streamed separately. */
  readonly channel?: number;
  /** Seconds since the start of the audio; ts < endTs. */
  readonly ts: number;
  readonly endTs: number;
}

/** Sentences, and the events that their answers make. */
export interface HookItem {
  readonly sentences: readonly HookSentence[];
  /** Returns the events for the answers to all sentences; an answer is undefined when the sentence was given up. */
  readonly eventsOf: (answers: readonly (string | undefined)[]) => readonly LiveEvent[];
  /** True for an item about the past: live text is sent first and does not wait for this item. */
  readonly isPast?: boolean;
}

/**
 * Returns the parts of an event: a final has one for each sentence, and its end always ends a sentence. Partials have none, as
 * only stable text comes to a hook.
 */
export function hookItemsOf(event: LiveEvent): readonly HookItem[] {
  switch (event.type) {
    case 'partial':
      return [];
    case 'final':
      return event.takesBack ? [{ sentences: [], eventsOf: () => [event] }] : itemsOfFinal(event);
    case 'repair':
      return [itemOfRepair(event)];
    default:
      return [{ sentences: [], eventsOf: () => [event] }];
  }
}

function itemsOfFinal({ elements, ts, endTs, speaker, channel }: FinalEvent): readonly HookItem[] {
  return sentencesWithTimes(elements, ts, endTs).map(part => {
    const sentence = { ...part, speaker, channel };
    return { sentences: [sentence], eventsOf: ([answer]) => [eventOf(sentence, answer)] };
  });
}

/** Returns a final with the answer; silence for an empty one, and a hole for a sentence that was given up. */
function eventOf({ ts, endTs, speaker, channel }: HookSentence, answer: string | undefined): LiveEvent {
  const place = { ts, endTs, channel };
  if (answer === undefined) return { type: 'hole', ...place, cause: 'gave-up' };
  if (answer === '') return { type: 'silence', ...place };
  const elements = elementsBetween(answer, ts, endTs);
  return { type: 'final', ...place, speaker, elements };
}

function itemOfRepair(event: RepairEvent): HookItem {
  const { monologues, ts, endTs, channel } = event;
  const turns = monologues.map(monologue => ({
    monologue,
    sentences: sentencesWithTimes(monologue.elements, ts, endTs).map(part => ({
      ...part,
      speaker: monologue.speaker,
      channel,
    })),
  }));
  return {
    sentences: turns.flatMap(({ sentences }) => sentences),
    eventsOf(answers) {
      let at = 0;
      const answered = turns.map(({ monologue, sentences }): Monologue => {
        const elements = sentences.flatMap((sentence): readonly TranscriptElement[] => {
          const answer = answers[at++] ?? '';
          if (answer === '') return [];
          return [SPACE, ...elementsBetween(answer, sentence.ts, sentence.endTs)];
        });
        return { ...monologue, elements: elements.slice(1) };
      });
      return [{ ...event, monologues: answered.filter(({ elements }) => elements.length > 0) }];
    },
    isPast: true,
  };
}

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };

/** Returns the words of a text, with times that share a span by length. */
function elementsBetween(text: string, ts: number, endTs: number): readonly TranscriptElement[] {
  return elementsOfTokens(tokensOf([{ type: 'text', value: text, ts, endTs }]));
}

/** Returns the sentences of elements in order, without overlap, within a span of seconds. */
function sentencesWithTimes(elements: readonly TranscriptElement[], ts: number, endTs: number) {
  const [first, ...rest] = tokensOf(elements);
  if (!first) return [];
  const tokens = timedTokens([{ ...first, ts: first.ts ?? ts }, ...rest]);
  const texts = [...sentencesOf(tokens.map(({ text }) => text).join(' '))].map(({ text }) => text);
  /** Latest start of a sentence that leaves some time for all later sentences. */
  const limit = (index: number) => endTs - ((texts.length - index) * (endTs - ts)) / texts.length / 10;
  let at = 0;
  let earliest = ts;
  return texts.map((text, index) => {
    const words = tokens.slice(at, at + text.split(' ').length);
    at += words.length;
    const start = Math.min(Math.max(words[0]?.ts ?? ts, earliest), limit(index));
    const latest = limit(index + 1);
    const end = Math.min(words.at(-1)?.endTs ?? ts, latest);
    earliest = end > start ? end : latest;
    return { text, ts: start, endTs: earliest };
  });
}
