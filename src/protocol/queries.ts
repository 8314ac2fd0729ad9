import { type Static, Type } from 'typebox';
import { LIST_LIMIT, SPEAKER_CHANNELS } from './limits.ts';
import { SentimentSchema } from './results.ts';

/** What stands in the query of a request. */

/** Which page of a list. */
export const ListQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: LIST_LIMIT.min, maximum: LIST_LIMIT.max })),
  /** Id of the job before the page. */
  starting_after: Type.Optional(Type.String()),
});

/** Whose captions, of a job whose channels were transcribed apart. */
export const CaptionsQuerySchema = Type.Object({
  speaker_channel: Type.Optional(Type.Integer({ minimum: 0, maximum: SPEAKER_CHANNELS.max - 1 })),
});

/** Which messages of a sentiment analysis. Default: all. */
export const SentimentQuerySchema = Type.Object({ filter_for: Type.Optional(SentimentSchema) });

export type ListQuery = Static<typeof ListQuerySchema>;
