import { type Static, Type } from 'typebox';

/** Results of jobs other than transcripts. */

export const LanguageIdResultSchema = Type.Object({
  top_language: Type.String(),
  language_confidences: Type.Array(
    Type.Object({ language: Type.String(), confidence: Type.Number({ minimum: 0, maximum: 1 }) }),
    { description: 'Most probable first; the confidences sum to at most 1.' },
  ),
});

export const SentimentSchema = Type.Union([
  Type.Literal('positive'),
  Type.Literal('neutral'),
  Type.Literal('negative'),
]);

export const SentimentMessageSchema = Type.Object({
  content: Type.String(),
  score: Type.Number({ minimum: -1, maximum: 1, description: 'From -1 (negative) to 1 (positive).' }),
  sentiment: SentimentSchema,
  offset: Type.Optional(Type.Integer({ description: 'Start in plain text, in UTF-16 code units.' })),
  length: Type.Optional(Type.Integer({ description: 'Length in plain text, in UTF-16 code units.' })),
  ts: Type.Optional(Type.Number({ description: 'Start in the audio of a transcript, in seconds.' })),
  end_ts: Type.Optional(Type.Number({ description: 'End in the audio of a transcript, in seconds.' })),
});

export const SentimentResultSchema = Type.Object({ messages: Type.Array(SentimentMessageSchema) });

/** Scores above `positive` are positive, scores below `negative` are negative, others neutral. */
export const SENTIMENT_THRESHOLDS = { positive: 0.3, negative: -0.3 } as const;

export type LanguageIdResult = Static<typeof LanguageIdResultSchema>;
export type Sentiment = Static<typeof SentimentSchema>;
export type SentimentMessage = Static<typeof SentimentMessageSchema>;
export type SentimentResult = Static<typeof SentimentResultSchema>;
