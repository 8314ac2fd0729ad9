/** Results of AssemblyAI: transcripts of recordings, and its messages of a stream. Times are milliseconds. */
import { type Static, Type } from 'typebox';
import {
  finalOf,
  finalsOf,
  type HeardFormat,
  type HeardWord,
  heardFormat,
  partialOf,
  Time,
} from './heard.ts';

const Words = Type.Array(
  Type.Object({
    text: Type.String(),
    start: Time,
    end: Time,
    /** `A`, `B` and so on, or null. */
    speaker: Type.Optional(Type.Unknown()),
  }),
);

/** See https://www.assemblyai.com/docs/api-reference/transcripts/get */
const Transcript = Type.Object({ status: Type.Literal('completed'), words: Words });

/** A turn ends twice if it is formatted, too. See https://www.assemblyai.com/docs/streaming/message-sequence */
const Turn = Type.Object({ turn_order: Type.Integer(), end_of_turn: Type.Boolean(), words: Words });

/** Message of the streams before turns. */
const Message = Type.Object({
  message_type: Type.Union([Type.Literal('PartialTranscript'), Type.Literal('FinalTranscript')]),
  words: Words,
});

export const ASSEMBLY_AI: readonly HeardFormat[] = [
  heardFormat('AssemblyAI', ['status', 'words', 'text'], Transcript, ({ words }) => finalsOf(wordsOf(words))),
  heardFormat('AssemblyAI', ['turn_order', 'end_of_turn'], Turn, ({ turn_order, end_of_turn, words }) => {
    if (!end_of_turn) return partialOf(wordsOf(words));
    return finalOf(wordsOf(words)).map(({ event }) => ({ event, turn: turn_order }));
  }),
  heardFormat('AssemblyAI', ['message_type', 'words'], Message, ({ message_type, words }) =>
    message_type === 'FinalTranscript' ? finalsOf(wordsOf(words)) : partialOf(wordsOf(words)),
  ),
];

function wordsOf(words: Static<typeof Words>): readonly HeardWord[] {
  return words.map(({ text, start, end, speaker }) => {
    const isNamed = typeof speaker === 'string' && /^[A-Z]$/.test(speaker);
    const number = isNamed ? speaker.charCodeAt(0) - 'A'.charCodeAt(0) : undefined;
    return { text, ts: start / 1000, endTs: end / 1000, speaker: number };
  });
}
