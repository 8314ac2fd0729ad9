/** Results of Deepgram: of `/v1/listen` for recordings, and its messages of a stream. Times are seconds. */
import { type Static, Type } from 'typebox';
import { finalsOf, type HeardFormat, type HeardWord, heardFormat, partialOf, Time } from './heard.ts';

const Alternative = Type.Object({
  transcript: Type.Optional(Type.String()),
  words: Type.Array(
    Type.Object({
      word: Type.String(),
      /** With capital and punctuation, when those were asked for. */
      punctuated_word: Type.Optional(Type.String()),
      start: Time,
      end: Time,
      speaker: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
});

/** The first alternative is the best one; silence has none, or an empty one. */
const Channel = Type.Object({ alternatives: Type.Array(Alternative) });

/** See https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded */
const Recording = Type.Object({ results: Type.Object({ channels: Type.Array(Channel) }) });

/** See https://developers.deepgram.com/docs/interim-results */
const Message = Type.Object({
  channel: Channel,
  channel_index: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }))),
  is_final: Type.Optional(Type.Boolean()),
});

export const DEEPGRAM: readonly HeardFormat[] = [
  heardFormat('Deepgram', ['results', 'metadata'], Recording, ({ results }) =>
    results.channels.flatMap((channel, index) => finalsOf(wordsOf(channel), index)),
  ),
  heardFormat('Deepgram', ['channel', 'is_final'], Message, ({ channel, channel_index, is_final }) => {
    const [index] = channel_index ?? [];
    return is_final ? finalsOf(wordsOf(channel), index) : partialOf(wordsOf(channel), index);
  }),
];

function wordsOf({ alternatives }: Static<typeof Channel>): readonly HeardWord[] {
  const words = alternatives[0]?.words ?? [];
  return words.map(({ word, punctuated_word: text = word, start, end, speaker }) => ({
    text,
    ts: start,
    endTs: end,
    speaker,
  }));
}
