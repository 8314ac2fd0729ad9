import { chunk } from '../../../audio/chunk.ts';
import type { PcmFormat } from '../../../audio/format/format.ts';
import { resample } from '../../../audio/resample/resample.ts';
import type { AudioWarning } from '../../../audio/source/blockSource.ts';
import { fromFile } from '../../../audio/source/file.ts';
import { systemClock } from '../../../base/clock.ts';
import { forEachUntilAborted } from '../../../flow/forEachUntilAborted.ts';
import type { StreamQuery } from '../../../protocol/streamQuery.ts';
import type { CassettePlaces } from '../record/recordOptions.ts';
import { ImportedSession } from './importedSession.ts';
import { readMessageLog } from './messageLog.ts';

export interface ImportOptions {
  /** Path of the log (JSON Lines). */
  readonly log: string;
  /** Audio or video file that was transcribed. Default: the cassette has no audio. */
  readonly media?: string;
  /** Format in which the audio was streamed. Default: 16,000 Hz, one channel. */
  readonly format?: Omit<PcmFormat, 'sampleFormat'>;
  /** Options of the stream. `startTs` is the time of the first sample in seconds, as in the messages. Default 0. */
  readonly query?: Omit<StreamQuery, 'contentType'>;
  readonly cassette: CassettePlaces;
  readonly onWarning?: (warning: AudioWarning) => void;
  /** Ends the import; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Makes a cassette from a log of the messages of one connection: JSON Lines, each a message alone or `{"ms": 120,
 * "message": {…}}`. A message is placed where the audio of its words ends, or later if its time says so; the audio
 * counts as streamed in real time. Delays are therefore real only if the log has times. Messages and results of Deepgram,
 * AssemblyAI and Azure become those of this service. An import that fails leaves no
 * file, and keeps the file that it was to overwrite.
 *
 * @throws CassetteError for any other file; RxscribeError of `fromFile` for media that cannot be read, `store` when the
 * cassette exists already or cannot be written, `program-missing` when FLAC is requested without ffmpeg
 * @throws the signal's reason
 * @example
 * await importMessageLog({ log: 'messages.jsonl', media: 'talk.mp3', cassette: { path: 'talk.cassette.jsonl' } });
 */
export async function importMessageLog(options: ImportOptions): Promise<void> {
  const { log, media, format = { sampleRate: 16_000, channels: 1 }, query = {}, onWarning, signal } = options;
  const messages = await readMessageLog(log, { signal });
  const session = new ImportedSession({
    messages,
    query,
    places: options.cassette,
    clock: systemClock,
    format: { ...format, sampleFormat: 'S16LE' },
  });
  try {
    if (media !== undefined) {
      const blocks$ = fromFile(media, { onWarning }).pipe(resample(format), chunk());
      await forEachUntilAborted(blocks$, signal, block => session.block(block));
    }
    await session.finish(signal ?? new AbortController().signal);
  } catch (error) {
    session.remove();
    throw error;
  }
}
