import { type SentimentSubmission, SentimentSubmissionSchema } from '../../protocol/submissions.ts';
import { notificationRule } from './addressRules.ts';
import { type Area, JOB_AREA } from './area.ts';
import { jobView } from './jobView.ts';
import { languageRule } from './languageRule.ts';
import { sentimentResult } from './results.ts';
import { type Rule, submissionKind } from './submission.ts';

/** Requires one text, in one of its two forms. */
const textRule: Rule<SentimentSubmission> = {
  fields: ['text', 'json'],
  *check({ text, json }) {
    if (text !== undefined && json) yield ['text', 'must not be given together with json'];
    if (text === undefined && !json) yield ['text', 'is required, unless json is given'];
  },
};

/** Sentiment analysis: scores the sentiment of each sentence. */
export const sentiment: Area = {
  ...JOB_AREA,
  name: 'sentiment',
  title: 'Sentiment analysis',
  types: ['sentiment_analysis'],
  doneStatus: 'completed',
  submission: submissionKind({
    schema: SentimentSubmissionSchema,
    example: { text: 'The room was lovely. The food was cold.' },
    rules: [notificationRule, languageRule, textRule],
    takesMedia: false,
    isFree: true,
    isLong: true,
    toJob: ({ language, text, json }) => ({
      type: 'sentiment_analysis',
      language,
      input: { text, transcript: json },
    }),
  }),
  view: (record, status) => ({ ...jobView(record, status), word_count: record.findings?.wordCount }),
  results: [sentimentResult],
};
