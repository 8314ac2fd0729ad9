import { join } from 'node:path';
import { filter, map, merge, type Observable } from 'rxjs';
import type { LiveOperator, Transcription } from '../../client/stream/liveOperator.ts';
import type { StandbyOptions, TranscribeOptions } from '../../client/stream/options.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { transcribe } from '../../client/stream/transcribe.ts';
import type { RecorderOptions } from '../provided.ts';
import type { CaptionRun } from './captionRuns.ts';
import { type ServiceAccess, sessionOptions } from './sessionOptions.ts';

/**
 * Longest utterance in seconds for outputs of finished captions, such as YouTube, which are shown after their utterance. On 134
 * words of continuous speech, 8 s costs no word against the 15 s of the recogniser itself, and halves their delay.
 */
const FINISHED_SEGMENT_SECONDS = 8;

export interface StreamParts {
  /** Service to use where the flags name none. */
  readonly service?: ServiceAccess;
  readonly standby?: StandbyOptions;
  /** Records the session as a cassette, where the flags name a directory. */
  readonly record?: (options: RecorderOptions) => Transcription;
  /** Emits the language of the first session at once, and each later change. */
  readonly language$: Observable<string>;
  /** Emits false when recognition pauses; there is no audio then. */
  readonly recognizes$: Observable<boolean>;
  /** Emits all phrases that an operator has added, after each addition. */
  readonly addedPhrases$: Observable<readonly string[]>;
  /** True when an output shows only finals. */
  readonly hasFinishedCaptions: boolean;
  /** Milliseconds since 1970-01-01 UTC, for the names of cassettes. */
  readonly startedAtMs: number;
}

/** Returns the stream of a source: its language may change, and a pause ends the recognition until there is audio again. */
export function captionStream(flags: CaptionRun, parts: StreamParts): LiveOperator<StreamStatus> {
  const { service, standby, language$, recognizes$, addedPhrases$ } = parts;
  const { channelsApart, customVocabularies = [] } = flags;
  const options: TranscribeOptions = {
    maxSegmentDurationSeconds: parts.hasFinishedCaptions ? FINISHED_SEGMENT_SECONDS : undefined,
    ...sessionOptions(flags, service),
    query$: merge(
      language$.pipe(map(language => ({ language }))),
      recognizes$.pipe(
        filter(recognizes => !recognizes),
        map(() => ({})),
      ),
      addedPhrases$.pipe(map(phrases => ({ customVocabularies: [...customVocabularies, { phrases }] }))),
    ),
    standby,
    // Without audio, as in a pause, the recogniser is released; a file may only be slow.
    idle: flags.input.kind === 'file' ? 'keepAlive' : 'close',
  };
  if (!parts.record) {
    return transcribe({ ...options, channelStreams: channelsApart ? 'apart' : 'together' });
  }
  return parts.record({ ...options, cassette: { path: cassettePath(flags, parts), speed: flags.speed } });
}

/** Returns the path of a cassette, such as `DIR/2026-11-22T10-00-00.cassette.jsonl`. */
function cassettePath({ record: directory, name }: CaptionRun, { startedAtMs }: StreamParts): string {
  const time = new Date(startedAtMs).toISOString().slice(0, 19).replaceAll(':', '-');
  return join(directory!, `${[time, ...(name === '' ? [] : [name])].join('-')}.cassette.jsonl`);
}
