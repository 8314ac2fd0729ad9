/** Finals and partials of the results of other services. */
import { type Static, type TSchema, Type } from 'typebox';
import { MIN_FINAL_SECONDS } from '../../../protocol/messages.ts';
import type { FinalEvent, PartialEvent } from '../../../transcript/model/events.ts';

/** A word, or a phrase whose words have no times. */
export interface HeardWord {
  readonly text: string;
  /** Times in seconds since the start of the audio. */
  readonly ts: number;
  readonly endTs: number;
  readonly speaker?: number;
}

/** A result of another service. */
export interface Heard {
  readonly event: PartialEvent | FinalEvent;
  /** Number of the turn, of which only the last final counts. */
  readonly turn?: number;
}

/** A format of results: the fields by which it is recognised, its schema, and its meaning. */
export interface HeardFormat {
  /** Name for errors. */
  readonly name: string;
  isFormat(json: object): boolean;
  readonly schema: TSchema;
  /** Converts a value that fits the schema. */
  read(json: unknown): readonly Heard[];
}

/** Declares a format. @param fields that a value of this format has, and those of no other format */
export function heardFormat<Schema extends TSchema>(
  name: string,
  fields: readonly string[],
  schema: Schema,
  read: (json: Static<Schema>) => readonly Heard[],
): HeardFormat {
  const isFormat = (json: object) => fields.every(field => Object.hasOwn(json, field));
  return { name, isFormat, schema, read: json => read(json as Static<Schema>) };
}

/** A time or a duration, in any unit. */
export const Time = Type.Number({ minimum: 0, maximum: 1e15 });

/** Longest pause within a final, in seconds, and its most words. */
const MAX_PAUSE = 1;
const MAX_WORDS = 200;

/** Returns finals of words in order, cut at pauses and where the speaker changes. */
export function finalsOf(heard: readonly HeardWord[], channel = 0): readonly Heard[] {
  const finals: HeardWord[][] = [];
  for (const word of heard) {
    const last = finals.at(-1);
    const before = last?.at(-1);
    const goesOn = before && before.speaker === word.speaker && word.ts - before.endTs <= MAX_PAUSE;
    if (last && goesOn && last.length < MAX_WORDS) last.push(word);
    else finals.push([word]);
  }
  return finals.flatMap(words => finalOf(words, channel));
}

/** Returns the final of words; none without words. */
export function finalOf(words: readonly HeardWord[], channel = 0): readonly Heard[] {
  return partialOf(words, channel).map(({ event }) => {
    const speaker = words[0]?.speaker;
    const endTs = Math.max(event.endTs, event.ts + MIN_FINAL_SECONDS);
    return { event: { ...event, type: 'final', endTs, ...(speaker !== undefined && { speaker }) } };
  });
}

/** Returns the partial of words; none without words. */
export function partialOf(words: readonly HeardWord[], channel = 0): readonly Heard[] {
  const elements = words
    .filter(({ text }) => text.trim() !== '')
    .map(
      ({ text, ts, endTs }) =>
        ({ type: 'text', value: text.trim(), ts, endTs: Math.max(ts, endTs) }) as const,
    );
  const [first] = elements;
  if (!first) return [];
  const endTs = Math.max(...elements.map(element => element.endTs));
  return [{ event: { type: 'partial', ts: first.ts, endTs, elements, ...(channel > 0 && { channel }) } }];
}
