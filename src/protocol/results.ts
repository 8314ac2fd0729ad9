import { type Static, Type } from 'typebox';

/** What jobs produce beside transcripts. */

export const LanguageIdResultSchema = Type.Object({
  top_language: Type.String(),
  language_confidences: Type.Array(
    Type.Object({ language: Type.String(), confidence: Type.Number({ minimum: 0, maximum: 1 }) }),
    { description: 'Best first; the confidences sum to at most 1.' },
  ),
});

export const SentimentSchema = Type.Union([
  Type.Literal('positive'),
  Type.Literal('neutral'),
  Type.Literal('negative'),
]);

export const SentimentMessageSchema = Type.Object({
  content: Type.String(),
  score: Type.Number({ minimum: -1, maximum: 1, description: 'From negative to positive.' }),
  sentiment: SentimentSchema,
  offset: Type.Optional(
    Type.Integer({ description: 'Of plain text: the first character, in UTF-16 code units.' }),
  ),
  length: Type.Optional(Type.Integer({ description: 'Of plain text: how many UTF-16 code units.' })),
  ts: Type.Optional(Type.Number({ description: 'Of a transcript: start in seconds.' })),
  end_ts: Type.Optional(Type.Number({ description: 'Of a transcript: end in seconds.' })),
});

export const SentimentResultSchema = Type.Object({ messages: Type.Array(SentimentMessageSchema) });

/** A score above the first is positive, below the second negative. */
export const SENTIMENT_THRESHOLDS = { positive: 0.3, negative: -0.3 } as const;

export type LanguageIdResult = Static<typeof LanguageIdResultSchema>;
export type Sentiment = Static<typeof SentimentSchema>;
export type SentimentMessage = Static<typeof SentimentMessageSchema>;
export type SentimentResult = Static<typeof SentimentResultSchema>;
