import { fromEvent, type Observable, takeUntil } from 'rxjs';
import { chunk } from '../../../audio/chunk.ts';
import type { AudioBlock, PcmFormat } from '../../../audio/format/format.ts';
import { resample } from '../../../audio/resample/resample.ts';
import type { AudioWarning } from '../../../audio/source/blockSource.ts';
import { fromFile } from '../../../audio/source/file.ts';
import { systemClock } from '../../../base/clock.ts';
import type { StreamQuery } from '../../../protocol/streamQuery.ts';
import type { CassettePlaces } from '../record/recordOptions.ts';
import { ImportedSession } from './importedSession.ts';
import { readMessageLog } from './messageLog.ts';

export interface ImportOptions {
  /** Path of the log: JSON Lines. */
  readonly log: string;
  /** Audio or video file with what was said. Default: the cassette has no audio. */
  readonly media?: string;
  /** As it was streamed. Default 16,000 Hz, one channel. */
  readonly format?: Omit<PcmFormat, 'sampleFormat'>;
  /** What was asked for; `startTs`: seconds of the first sample, as the messages have it, default 0. */
  readonly query?: Omit<StreamQuery, 'contentType'>;
  readonly cassette: CassettePlaces;
  readonly onWarning?: (warning: AudioWarning) => void;
  /** Ends it: its reason is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Makes a cassette of a log of what a service said, of one connection: JSON Lines of its messages, each alone or as
 * `{"ms": 120, "message": {…}}`. A message stands where the audio was that its words end with, or later where its time
 * says so; audio counts as given in real time. So delays are those of the log only where it has times. An import that
 * fails leaves no file, and what it was to overwrite.
 *
 * @throws CassetteError for what is no such log; RxscribeError of `fromFile` for media that cannot be read, `store` when
 * the cassette is there already or cannot be written, `program-missing` without ffmpeg where FLAC is wanted
 * @throws the signal's reason
 * @example
 * await importMessageLog({ log: 'messages.jsonl', media: 'talk.mp3', cassette: { path: 'talk.cassette.jsonl' } });
 */
export async function importMessageLog(options: ImportOptions): Promise<void> {
  const { log, media, format = { sampleRate: 16_000, channels: 1 }, query = {}, signal } = options;
  const messages = await readMessageLog(log, { ...(signal && { signal }) });
  const session = new ImportedSession({
    ...{ messages, query, places: options.cassette, clock: systemClock },
    format: { ...format, sampleFormat: 'S16LE' },
  });
  try {
    if (media !== undefined) {
      const blocks$ = fromFile(media, { ...(options.onWarning && { onWarning: options.onWarning }) });
      await untilAborted(blocks$.pipe(resample(format), chunk()), signal, block => session.block(block));
    }
    await session.finish(signal ?? new AbortController().signal);
  } catch (error) {
    session.remove();
    throw error;
  }
}

async function untilAborted(
  blocks$: Observable<AudioBlock>,
  signal: AbortSignal | undefined,
  take: (block: AudioBlock) => void,
): Promise<void> {
  signal?.throwIfAborted();
  await (signal ? blocks$.pipe(takeUntil(fromEvent(signal, 'abort'))) : blocks$).forEach(take);
  signal?.throwIfAborted();
}
