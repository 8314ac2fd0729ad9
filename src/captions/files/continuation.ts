import { readFileSync, statSync } from 'node:fs';
import { InvalidArgumentError, messageOf } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import { emptyTranscript, type Transcript } from '../../transcript/model/model.ts';
import { type Continued, continued } from './continuedText.ts';
import { type TranscriptEnding, transcriptEnding } from './transcriptEnding.ts';
import { type TranscriptTextOptions, transcriptAs } from './transcriptText.ts';

/** Largest file that can be continued: it is held in memory, and each write replaces all of it. */
const MAX_CONTINUED_BYTES = 64 * 1024 * 1024;

const REMEDY = 'Choose another name, or add --overwrite in place of --continue.';

/** Texts of files that continue those of an earlier run. */
export interface Continuation {
  /** Seconds between the start of the first run and that of this one, by the wall clock. */
  readonly offsetSeconds: number;
  /** The text of the first file whose text can be read. */
  readonly earlier: Transcript;
  /** Returns the text of a file: its earlier content, then the transcript of this run at its time. */
  textOf(path: string, transcript: Transcript, options?: TranscriptTextOptions): string;
}

/**
 * Reads the files that are there already. The times of this run begin at the end of the last caption in any of them, later by the
 * time since that file was written.
 *
 * @param wallTimeMs now, in milliseconds since 1970-01-01 UTC
 * @throws InvalidArgumentError when a file cannot be read, is damaged, or has another form than its ending says
 */
export function continueFiles(paths: readonly string[], wallTimeMs: number): Continuation {
  const found = new Map<string, Continued>();
  let offsetSeconds = 0;
  for (const path of paths) {
    const file = contentOf(path);
    if (!file?.text) continue;
    const content = continuedFile(path, file.text);
    found.set(path, content);
    const sinceSeconds = Math.max(0, wallTimeMs - file.writtenAtMs) / 1000;
    offsetSeconds = Math.max(offsetSeconds, content.endTs + sinceSeconds);
  }
  const texts = [...found.values()].map(({ transcript }) => transcript);
  return {
    offsetSeconds,
    earlier: texts.find(({ monologues }) => monologues.length > 0) ?? emptyTranscript,
    textOf(path, transcript, options = {}) {
      const ending = endingOf(path);
      const before = found.get(path) ?? continued(ending, transcriptAs(ending, emptyTranscript, options))!;
      return before.textWith(transcript, offsetSeconds, options);
    },
  };
}

const endingOf = (path: string): TranscriptEnding => transcriptEnding(path) ?? '.txt';

interface Content {
  readonly text: string;
  readonly writtenAtMs: number;
}

/**
 * Returns the content of a file; undefined without one, as for a named pipe.
 *
 * @throws InvalidArgumentError as {@link cannotContinue}
 */
export function contentOf(path: string, remedy?: string): Content | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) return undefined;
    if (found.size > MAX_CONTINUED_BYTES) throw new Error('it is larger than 64 MiB');
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    return { text, writtenAtMs: found.mtimeMs };
  } catch (cause) {
    const reason = cause instanceof TypeError ? 'it is not text in UTF-8' : fileReason(cause);
    throw cannotContinue(path, reason, { cause, remedy });
  }
}

function continuedFile(path: string, text: string): Continued {
  let file: Continued | undefined;
  try {
    file = continued(endingOf(path), text);
  } catch (cause) {
    throw cannotContinue(
      path,
      messageOf(cause)
        .replace(/^Cannot read /, 'as ')
        .replace(/\.$/, ''),
      { cause },
    );
  }
  if (!file) throw cannotContinue(path, `it is not a complete ${endingOf(path)} file of a transcript`);
  return file;
}

/** Returns the error of a file that cannot be continued. */
export function cannotContinue(
  path: string,
  reason: string,
  { cause, remedy = REMEDY }: { readonly cause?: unknown; readonly remedy?: string } = {},
): InvalidArgumentError {
  return new InvalidArgumentError(`Cannot continue '${path}': ${reason}. ${remedy}`, { cause });
}
