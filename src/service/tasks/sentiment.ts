import { setImmediate } from 'node:timers/promises';
import {
  SENTIMENT_THRESHOLDS,
  type Sentiment,
  type SentimentMessage,
  SentimentMessageSchema,
} from '../../protocol/results.ts';
import { decodeTranscript, type TranscriptJson } from '../../protocol/transcriptJson.ts';
import { toWire } from '../../protocol/wireNames.ts';
import { wordsOf } from '../../transcript/scoring.ts';
import type { Task } from '../jobs/task.ts';
import { callEngine, type EngineRole, requireEngine, requireLanguage } from './engineCall.ts';
import type { SentimentInput } from './inputs.ts';
import { type PlacedSentence, placedInText, placedInTranscript } from './sentimentSentences.ts';
import type { TaskOptions } from './taskOptions.ts';

const ANALYZER: EngineRole = { role: 'sentiment analysis engine', failure: 'internal_processing' };

/** Sentences that are looked for, and analysed, at once: a share of the event loop. */
const BATCH = 256;

/** How each sentence of a text or a transcript is meant. */
export function sentimentTask(options: Pick<TaskOptions, 'sentimentAnalyzer' | 'onError'>): Task {
  return async ({ language = 'en' }, { input, signal }) => {
    const engine = requireEngine(options.sentimentAnalyzer, ANALYZER.role);
    requireLanguage(ANALYZER, engine.languages, language);
    const messages: SentimentMessage[] = [];
    let wordCount = 0;
    for (const sentences of batches(placed(input as SentimentInput), BATCH)) {
      signal.throwIfAborted();
      const contents = sentences.map(({ content }) => content);
      const scores = await callEngine(ANALYZER, () => engine.analyze(contents, { signal }), options);
      for (const [index, sentence] of sentences.entries()) {
        const score = scores[index]!;
        wordCount += wordsOf(sentence.content).length;
        messages.push(toWire(SentimentMessageSchema, { ...sentence, score, sentiment: sentimentOf(score) }));
      }
      // An engine that never makes us wait must not keep others from the event loop.
      await setImmediate();
    }
    return { findings: { wordCount }, results: { result: JSON.stringify({ messages }) } };
  };
}

function placed({ text, transcript }: SentimentInput): Generator<PlacedSentence> {
  if (text !== undefined) return placedInText(text);
  return placedInTranscript(decodeTranscript(transcript as TranscriptJson));
}

function* batches<T>(values: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The word for a score. */
export function sentimentOf(score: number): Sentiment {
  if (score > SENTIMENT_THRESHOLDS.positive) return 'positive';
  return score < SENTIMENT_THRESHOLDS.negative ? 'negative' : 'neutral';
}
