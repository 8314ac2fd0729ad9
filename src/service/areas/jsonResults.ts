import { SentimentQuerySchema } from '../../protocol/queries.ts';
import {
  LanguageIdResultSchema,
  type SentimentResult,
  SentimentResultSchema,
} from '../../protocol/results.ts';
import type { ResultKind } from './resultKind.ts';

/** For clients that ask for JSON of any kind. */
const JSON_MEDIA_TYPE = 'application/json';

/** The most probable language, and the others. */
export const languageIdResult: ResultKind = {
  path: 'result',
  source: 'result',
  mediaTypes: ({ languageIdMediaType }) => [languageIdMediaType, JSON_MEDIA_TYPE],
  schema: LanguageIdResultSchema,
  isStrict: false,
  unacceptable: 'unsupportedOutputFormat',
  render: json => json,
};

/** What is meant, sentence by sentence. */
export const sentimentResult: ResultKind = {
  path: 'result',
  source: 'result',
  mediaTypes: ({ sentimentMediaType }) => [sentimentMediaType, JSON_MEDIA_TYPE],
  schema: SentimentResultSchema,
  isStrict: false,
  unacceptable: 'unsupportedOutputFormat',
  query: SentimentQuerySchema,
  render(json, { query }) {
    const { filter_for: wanted } = query;
    if (wanted === undefined) return json;
    const { messages } = JSON.parse(json) as SentimentResult;
    return JSON.stringify({ messages: messages.filter(({ sentiment }) => sentiment === wanted) });
  },
};
