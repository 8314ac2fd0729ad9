import { join } from 'node:path';
import { filter, map, merge, type Observable } from 'rxjs';
import type { LiveOperator } from '../../client/stream/liveOperator.ts';
import type { StandbyOptions, TranscribeOptions } from '../../client/stream/options.ts';
import { rollOver } from '../../client/stream/rollOver.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { transcribe } from '../../client/stream/transcribe.ts';
import { record } from '../../replay/cassette/record/record.ts';
import type { LiveInput } from '../flags/liveOptions.ts';
import type { RecoveryFlags } from '../flags/recoveryOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import { type QueryFlags, streamQueryOf } from '../flags/streamQuery.ts';
import type { CaptionSpools } from './captionSpools.ts';
import { recoveryOptions } from './recovery.ts';

/**
 * Longest utterance in seconds for outputs of finished captions, such as YouTube, which come after their utterance. On
 * 134 words of continuous speech, 8 s costs no word against the 15 s of the recogniser itself, and halves their delay.
 */
const FINISHED_SEGMENT_SECONDS = 8;

/** Flags of the stream of one source. */
export interface StreamFlags extends QueryFlags, ServiceFlags, RecoveryFlags {
  /** Name of the source; empty for the only one. */
  readonly name: string;
  readonly input: LiveInput;
  readonly speed: number | 'max';
  readonly channelsApart?: boolean;
  /** Directory of cassettes. */
  readonly record?: string;
}

/** Access to a service. */
export interface ServiceAccess {
  readonly url: string;
  readonly token: string;
}

export interface StreamParts {
  /** Service to use where the flags name none. */
  readonly service?: ServiceAccess;
  readonly standby?: StandbyOptions;
  /** Emits the language of the first session at once, and later others. */
  readonly language$: Observable<string>;
  /** Emits false while nothing is to be recognised, and gives no audio then. */
  readonly recognizes$: Observable<boolean>;
  /** True for outputs that show nothing before an utterance is final. */
  readonly hasFinishedCaptions: boolean;
  readonly spools: Pick<CaptionSpools, 'pathOf'>;
  /** Milliseconds since 1970-01-01 UTC, for the names of cassettes. */
  readonly startedAtMs: number;
}

/** Returns the stream of a source: one session after the other for each language, each with its own spool and cassette. */
export function captionStream(flags: StreamFlags, parts: StreamParts): LiveOperator<StreamStatus> {
  const { service, standby, language$, recognizes$, spools } = parts;
  const { url, nextUrl, token, channelsApart, startTs } = flags;
  return rollOver<StreamStatus>({
    // A change ends the session, and audio begins another one: a pause costs nothing.
    query$: merge(
      language$.pipe(map(language => ({ language }))),
      recognizes$.pipe(
        filter(recognizes => !recognizes),
        map(() => ({})),
      ),
    ),
    startTs,
    open(query, index) {
      const options: TranscribeOptions = {
        maxSegmentDurationSeconds: parts.hasFinishedCaptions ? FINISHED_SEGMENT_SECONDS : undefined,
        ...streamQueryOf(flags),
        ...query,
        url: service?.url ?? [url!, ...nextUrl],
        token: service?.token ?? token!,
        ...recoveryOptions({ ...flags, spool: spools.pathOf(index) }),
        standby,
        // Without audio, as in a pause, no recogniser is held; a file is only slow.
        idle: flags.input.kind === 'file' ? 'keepAlive' : 'close',
      };
      if (flags.record === undefined) {
        return transcribe({ ...options, channelStreams: channelsApart ? 'apart' : 'together' });
      }
      return record({
        ...options,
        cassette: { path: cassettePath(flags, parts, index), speed: flags.speed },
      });
    },
  });
}

/** Returns the path of a cassette, such as `DIR/2026-11-22T10-00-00.cassette.jsonl`. */
function cassettePath(
  { record: directory, name }: StreamFlags,
  { startedAtMs }: StreamParts,
  index: number,
): string {
  const time = new Date(startedAtMs).toISOString().slice(0, 19).replaceAll(':', '-');
  const parts = [time, ...(name === '' ? [] : [name]), ...(index === 0 ? [] : [index + 1])];
  return join(directory!, `${parts.join('-')}.cassette.jsonl`);
}
