import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { Value } from 'typebox/value';
import { InvalidArgumentError } from '../../base/errors.ts';
import { type Sentiment, SentimentResultSchema } from '../../protocol/results.ts';
import { decodeTranscript, TranscriptSchema } from '../../protocol/transcriptJson.ts';
import { toWire } from '../../protocol/wireNames.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { readTextFile } from '../files/textFile.ts';
import { jsonText, type ResultFlags } from '../flags/resultOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import type { KeepingFlags } from '../flags/speechOptions.ts';
import { columns } from '../print/columns.ts';
import { submitAndWait } from '../service/submission.ts';
import { useService } from '../service/useService.ts';

export interface SentimentFlags extends ServiceFlags, KeepingFlags, ResultFlags {
  readonly text: string;
  readonly language: string;
  readonly filterFor?: Sentiment;
}

/** Finds out how sentences are meant, and prints each. */
export async function runSentiment(flags: SentimentFlags): Promise<void> {
  const { metadata, deleteAfterSeconds, language, format, filterFor } = flags;
  const text = await subjectOf(flags.text);
  await useService(
    flags,
    async use => {
      const { sentiment } = use.client;
      const { id } = await submitAndWait(use, {
        what: 'reading',
        submit: () => sentiment.submit(text, { language, metadata, deleteAfterSeconds }),
        waitFor: sentiment.waitFor,
      });
      const result = await sentiment.result(id, { filterFor });
      const rows = result.messages.map(message => [
        message.sentiment,
        message.score.toFixed(2),
        message.content,
      ]);
      use.print(
        format === 'json'
          ? jsonText(toWire(SentimentResultSchema, result))
          : columns(['sentiment', 'score', 'sentence'], rows),
      );
    },
    { recognizes: false },
  );
}

async function subjectOf(argument: string): Promise<string | Transcript> {
  if (argument !== '-' && !existsSync(argument)) return argument;
  const text = await readTextFile(argument);
  return extname(argument).toLowerCase() === '.json' ? readTranscript(text) : text;
}

function readTranscript(text: string): Transcript {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's own error quotes the text.
  }
  if (Value.Check(TranscriptSchema, json)) return decodeTranscript(json);
  throw new InvalidArgumentError('read transcript: wanted JSON with monologues, found something else');
}
