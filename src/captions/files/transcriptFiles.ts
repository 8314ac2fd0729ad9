import { RxscribeError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { fileNamed, replaceFile } from './replaceFile.ts';
import { transcriptEnding } from './transcriptEnding.ts';
import { type TranscriptTextOptions, transcriptAs } from './transcriptText.ts';

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
  await writeFiles(paths, path => transcriptAs(transcriptEnding(path) ?? '.txt', transcript, options));
}

/** Replaces the content of files by texts, as {@link writeTranscriptFiles} does. */
export async function writeFiles(paths: readonly string[], textOf: (path: string) => string): Promise<void> {
  const named = await Promise.all(
    paths.map(async path => [await fileNamed(path).catch(() => path), path] as const),
  );
  const writes = [...new Map(named).values()].map(path => writeText(path, textOf(path)));
  // Waits for all of them: what fails must not hide that another one is still being written.
  const failed = (await Promise.allSettled(writes)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/**
 * Replaces the content of a file as `replaceFile` does.
 *
 * @throws RxscribeError `store` when the file cannot be written
 */
export async function writeText(path: string, text: string, options?: { readonly flush?: boolean }) {
  try {
    await replaceFile(path, text, options);
  } catch (cause) {
    throw new RxscribeError('store', `Cannot write '${path}': ${fileReason(cause)}.`, { cause });
  }
}
