import { Value } from 'typebox/value';
import { InvalidArgumentError } from '../../../base/errors.ts';
import { decodeTranscript, TranscriptSchema } from '../../../protocol/transcriptJson.ts';
import type { Transcript } from '../../../transcript/model/model.ts';
import { readHumanText } from './humanText.ts';

/**
 * Reads a file by which a person finishes a job: a transcript as the wire has it, or text as `readHumanText` takes it.
 *
 * @throws InvalidArgumentError for one without a word, and for JSON that is no transcript
 */
export function readHumanWork(contents: string, speakerNames: readonly string[] = []): Transcript {
  const isJson = /^\uFEFF?\s*[{[]\s*["{\]}]/u.test(contents);
  const transcript = isJson ? readJson(contents) : readHumanText(contents, speakerNames);
  if (transcript.monologues.some(({ elements }) => elements.length > 0)) return transcript;
  throw new InvalidArgumentError('finish job: wanted a transcript, found no words');
}

function readJson(contents: string): Transcript {
  let json: unknown;
  try {
    json = JSON.parse(contents.replace(/^\uFEFF/, ''));
  } catch (cause) {
    // Its message has words of the transcript.
    throw new InvalidArgumentError('finish job: wanted JSON or text, found JSON that is damaged', { cause });
  }
  if (Value.Check(TranscriptSchema, json)) return decodeTranscript(json);
  const [error] = Value.Errors(TranscriptSchema, json);
  const where = error?.instancePath || 'its top';
  throw new InvalidArgumentError(`finish job: wanted a transcript in JSON, found something else at ${where}`);
}
