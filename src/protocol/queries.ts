import { type Static, Type } from 'typebox';
import { LIST_LIMIT, SPEAKER_CHANNELS } from './limits.ts';
import { SentimentSchema } from './results.ts';

/** What stands in the query of a request. */

/** Which page of a list. */
export const ListQuerySchema = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: LIST_LIMIT.min,
      maximum: LIST_LIMIT.max,
      description: `How many. Default ${LIST_LIMIT.default}.`,
    }),
  ),
  starting_after: Type.Optional(
    Type.String({
      description:
        'Id of the last of the page before: the list goes on after it, also when it has been deleted in the last 30 days.',
    }),
  ),
});

/** Whose captions, of a job whose channels were transcribed apart. */
export const CaptionsQuerySchema = Type.Object({
  speaker_channel: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: SPEAKER_CHANNELS.max - 1,
      description: 'Whose captions. Needed for jobs with `speaker_channels_count`, and only for them.',
    }),
  ),
});

/** Which messages of a sentiment analysis. Default: all. */
export const SentimentQuerySchema = Type.Object({
  filter_for: Type.Optional(
    Type.Union(SentimentSchema.anyOf, { description: 'Only messages of this kind. Default: all.' }),
  ),
});

export type ListQuery = Static<typeof ListQuerySchema>;
