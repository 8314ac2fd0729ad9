import { type Static, Type } from 'typebox';

/** What jobs produce beside transcripts. */

export const LanguageIdResultSchema = Type.Object({
  top_language: Type.String(),
  /** Best first; the confidences sum to at most 1. */
  language_confidences: Type.Array(
    Type.Object({ language: Type.String(), confidence: Type.Number({ minimum: 0, maximum: 1 }) }),
  ),
});

export const SentimentSchema = Type.Union([
  Type.Literal('positive'),
  Type.Literal('neutral'),
  Type.Literal('negative'),
]);

export const SentimentMessageSchema = Type.Object({
  content: Type.String(),
  /** -1 to 1. */
  score: Type.Number({ minimum: -1, maximum: 1 }),
  sentiment: SentimentSchema,
  /** Of plain text: the first character, and how many. */
  offset: Type.Optional(Type.Integer()),
  length: Type.Optional(Type.Integer()),
  /** Of a transcript: seconds. */
  ts: Type.Optional(Type.Number()),
  end_ts: Type.Optional(Type.Number()),
});

export const SentimentResultSchema = Type.Object({ messages: Type.Array(SentimentMessageSchema) });

/** A score above the first is positive, below the second negative. */
export const SENTIMENT_THRESHOLDS = { positive: 0.3, negative: -0.3 } as const;

export type LanguageIdResult = Static<typeof LanguageIdResultSchema>;
export type Sentiment = Static<typeof SentimentSchema>;
export type SentimentMessage = Static<typeof SentimentMessageSchema>;
export type SentimentResult = Static<typeof SentimentResultSchema>;
