import { setImmediate } from 'node:timers/promises';
import {
  SENTIMENT_THRESHOLDS,
  type Sentiment,
  type SentimentMessage,
  SentimentMessageSchema,
} from '../../protocol/results.ts';
import { decodeTranscript, type TranscriptJson } from '../../protocol/transcriptJson.ts';
import { toWire } from '../../protocol/wireNames.ts';
import { spanOf, type Transcript } from '../../transcript/model/model.ts';
import { sentencesOf } from '../../transcript/text/sentences.ts';
import { wordsOf } from '../../transcript/text/tokens.ts';
import { JobFailedError, type Task } from '../jobs/task.ts';
import { callEngine, type EngineRole, requireEngine, requireLanguage } from './engineCall.ts';
import type { SentimentInput } from './inputs.ts';
import { sentencesIn } from './sentencesIn.ts';
import type { TaskOptions } from './taskOptions.ts';

const ANALYZER: EngineRole = { role: 'sentiment analysis engine', failure: 'internal_processing' };

/** Sentences found and analysed at once: bounds the time on the event loop. */
const BATCH = { sentences: 256, characters: 65_536 } as const;
/** Maximum sentences of a text of 16 MiB, with a result of some 50 MB. Ordinary text has half as many. */
const MAX_SENTENCES = 500_000;

/** Creates the task of sentiment analysis: scores the sentiment of each sentence. */
export function sentimentTask(
  options: Pick<TaskOptions, 'sentimentAnalyzer' | 'onError'>,
  { maxSentences = MAX_SENTENCES } = {},
): Task {
  return async ({ language = 'en' }, { input, signal }) => {
    const engine = requireEngine(options.sentimentAnalyzer, ANALYZER.role);
    requireLanguage(ANALYZER, engine.languages, language);
    const parts: string[] = [];
    let sentenceCount = 0;
    let wordCount = 0;
    for (const sentences of batches(placed(input as SentimentInput))) {
      signal.throwIfAborted();
      sentenceCount += sentences.length;
      if (sentenceCount > maxSentences)
        throw new JobFailedError('transcription', `The text has more than ${maxSentences} sentences.`);
      const contents = sentences.map(({ content }) => content);
      const scores = await callEngine(ANALYZER, () => engine.analyze(contents, { signal }), options);
      for (const [index, sentence] of sentences.entries()) {
        wordCount += wordsOf(sentence.content.replaceAll('[inaudible]', '')).length;
        parts.push(JSON.stringify(messageOf(sentence, scores[index]!)));
      }
      // An engine that always answers at once must not block the event loop.
      await setImmediate();
    }
    return { findings: { wordCount }, results: { result: `{"messages":[${parts.join(',')}]}` } };
  };
}

function messageOf(sentence: PlacedSentence, score: number): SentimentMessage {
  return toWire(SentimentMessageSchema, { ...sentence, score, sentiment: sentimentOf(score) });
}

function placed({ text, transcript }: SentimentInput): Generator<PlacedSentence> {
  if (text !== undefined) return placedInText(text);
  return placedInTranscript(decodeTranscript(transcript as TranscriptJson));
}

function* batches(sentences: Iterable<PlacedSentence>): Generator<readonly PlacedSentence[]> {
  let batch: PlacedSentence[] = [];
  let characters = 0;
  for (const sentence of sentences) {
    batch.push(sentence);
    characters += sentence.content.length;
    if (batch.length < BATCH.sentences && characters < BATCH.characters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Returns the sentiment of a score. */
export function sentimentOf(score: number): Sentiment {
  if (score > SENTIMENT_THRESHOLDS.positive) return 'positive';
  return score < SENTIMENT_THRESHOLDS.negative ? 'negative' : 'neutral';
}

/** A sentence with its position in a text, or in the audio of a transcript. */
export interface PlacedSentence {
  readonly content: string;
  /** First character in a text, in UTF-16 code units. */
  readonly offset?: number;
  readonly length?: number;
  /** Seconds. */
  readonly ts?: number;
  readonly endTs?: number;
}

function* placedInText(text: string): Generator<PlacedSentence> {
  for (const { text: content, offset } of sentencesOf(text))
    yield { content, offset, length: content.length };
}

/** Yields the sentences of a transcript; none spans two speakers. */
function* placedInTranscript({ monologues }: Transcript): Generator<PlacedSentence> {
  for (const { elements } of monologues) {
    for (const { content, elements: said } of sentencesIn(elements)) yield { content, ...spanOf(said) };
  }
}
