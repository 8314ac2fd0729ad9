import { RxscribeError } from '../../base/errors.ts';
import { printableJson } from '../../base/text.ts';
import { encodeTranscript } from '../../protocol/transcriptJson.ts';
import { captionCues } from '../../transcript/cues/captionCues.ts';
import { writePlainText } from '../../transcript/formats/plainText.ts';
import { writeSrt } from '../../transcript/formats/srt.ts';
import { writeVtt } from '../../transcript/formats/vtt.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { fileReason } from './fileReason.ts';
import { fileNamed, replaceFile } from './replaceFile.ts';
import { type TranscriptEnding, transcriptEnding } from './transcriptEnding.ts';

export interface TranscriptTextOptions {
  /** Writes plain text as one block under the first speaker. Default false: a line for each turn. */
  readonly skipDiarization?: boolean;
}

const WRITERS: Readonly<
  Record<TranscriptEnding, (transcript: Transcript, options: TranscriptTextOptions) => string>
> = {
  '.srt': transcript => writeSrt(captionCues(transcript)),
  '.vtt': transcript => writeVtt(captionCues(transcript)),
  '.txt': writePlainText,
  '.json': transcript => `${printableJson(encodeTranscript(transcript), 2)}\n`,
};

/** Returns a transcript in the format of files with that ending. */
export function transcriptAs(
  ending: TranscriptEnding,
  transcript: Transcript,
  options: TranscriptTextOptions = {},
): string {
  return WRITERS[ending](transcript, options);
}

/**
 * Writes a transcript to files, each in the format of its ending, else as plain text. Existing files are replaced; a file
 * that several paths lead to is written once.
 *
 * @throws RxscribeError `store` when a file cannot be written, such as on a full disk
 */
export async function writeTranscriptFiles(
  paths: readonly string[],
  transcript: Transcript,
  options?: TranscriptTextOptions,
): Promise<void> {
  const named = await Promise.all(
    paths.map(async path => [await fileNamed(path).catch(() => path), path] as const),
  );
  await Promise.all([...new Map(named).values()].map(path => writeTranscriptFile(path, transcript, options)));
}

async function writeTranscriptFile(
  path: string,
  transcript: Transcript,
  options?: TranscriptTextOptions,
): Promise<void> {
  const text = transcriptAs(transcriptEnding(path) ?? '.txt', transcript, options);
  try {
    await replaceFile(path, text);
  } catch (cause) {
    throw new RxscribeError('store', `Cannot write '${path}': ${fileReason(cause)}.`, {
      cause,
    });
  }
}
