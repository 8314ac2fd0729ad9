/** Results of Azure Speech: of batch transcription, and its messages of a stream. Times are ticks of 100 ns. */
import { Type } from 'typebox';
import {
  finalsOf,
  type Heard,
  type HeardFormat,
  type HeardWord,
  heardFormat,
  partialOf,
  Time,
} from './heard.ts';

const TICKS_PER_SECOND = 1e7;

/** See https://learn.microsoft.com/azure/ai-services/speech-service/batch-transcription-get */
const Batch = Type.Object({
  recognizedPhrases: Type.Array(
    Type.Object({
      channel: Type.Optional(Type.Integer({ minimum: 0 })),
      speaker: Type.Optional(Type.Integer({ minimum: 0 })),
      offsetInTicks: Time,
      durationInTicks: Time,
      /** The first one is the best; absent without speech. */
      nBest: Type.Optional(Type.Array(Type.Object({ display: Type.String() }))),
    }),
  ),
});

const Span = { Offset: Time, Duration: Time };

/** See https://learn.microsoft.com/azure/ai-services/speech-service/rest-speech-to-text-short */
const Phrase = Type.Object({
  ...Span,
  /** Text of the simple format, or of the best one. */
  DisplayText: Type.Optional(Type.String()),
  NBest: Type.Optional(
    Type.Array(
      Type.Object({
        Display: Type.Optional(Type.String()),
        DisplayText: Type.Optional(Type.String()),
      }),
    ),
  ),
});

const Hypothesis = Type.Object({ ...Span, Text: Type.String() });

export const AZURE: readonly HeardFormat[] = [
  heardFormat('Azure', ['recognizedPhrases'], Batch, ({ recognizedPhrases }) => {
    const channels = recognizedPhrases.map(({ channel, speaker, nBest, offsetInTicks, durationInTicks }) => {
      const phrase = phraseOf(nBest?.[0]?.display, offsetInTicks, durationInTicks);
      return finalsOf([{ ...phrase, speaker }], channel);
    });
    return channels.flat();
  }),
  heardFormat(
    'Azure',
    ['RecognitionStatus', 'Offset'],
    Phrase,
    ({ NBest, DisplayText, Offset, Duration }) => {
      const [best] = NBest ?? [];
      return finalsOf([phraseOf(best?.Display ?? best?.DisplayText ?? DisplayText, Offset, Duration)]);
    },
  ),
  heardFormat('Azure', ['Text', 'Offset'], Hypothesis, ({ Text, Offset, Duration }): readonly Heard[] =>
    partialOf([phraseOf(Text, Offset, Duration)]),
  ),
];

/** Words are not taken from `Words`, which are the lexical ones: those of the text have its punctuation. */
function phraseOf(text = '', offset: number, duration: number): HeardWord {
  return { text, ts: offset / TICKS_PER_SECOND, endTs: (offset + duration) / TICKS_PER_SECOND };
}
