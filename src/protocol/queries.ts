import { Type } from 'typebox';
import { LIST_LIMIT, SPEAKER_CHANNELS } from './limits.ts';
import { SentimentSchema } from './results.ts';

/** Query parameters of requests. */

/** The page of a list. */
export const ListQuerySchema = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: LIST_LIMIT.min,
      maximum: LIST_LIMIT.max,
      description: `Most jobs on the page. Default ${LIST_LIMIT.default}.`,
    }),
  ),
  starting_after: Type.Optional(
    Type.String({
      description:
        'Id of the last job of the previous page. It may have been deleted within the last 30 days.',
    }),
  ),
});

/** The channel whose captions are requested, for a job whose channels were transcribed separately. */
export const CaptionsQuerySchema = Type.Object({
  speaker_channel: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: SPEAKER_CHANNELS.max - 1,
      description:
        'Channel of the captions. Required for jobs with `speaker_channels_count`, not allowed for others.',
    }),
  ),
});

/** The requested messages of a sentiment analysis. Default: all. */
export const SentimentQuerySchema = Type.Object({
  filter_for: Type.Optional(
    Type.Union(SentimentSchema.anyOf, {
      description: 'Returns only messages of this sentiment. Default: all.',
    }),
  ),
});
