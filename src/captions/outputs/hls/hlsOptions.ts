import { statSync } from 'node:fs';
import { requireIntegerIn } from '../../../audio/format/contentType.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { RxscribeError, refuseIf } from '../../../base/errors.ts';
import { namedOptions } from '../../../base/namedOptions.ts';
import { counted } from '../../../base/text.ts';
import { withDeadline } from '../../../base/wait/withTimeout.ts';
import type { OutputOptions } from '../captionOutput.ts';
import { isWebAddress, videoSource } from './videoSource.ts';

/** Options of {@link hlsOutput}. */
export interface HlsOptions extends OutputOptions {
  /** Directory for the playlist and segments of the captions; created when it does not exist. */
  readonly directory: string;
  /**
   * Path or http address of the live video's media playlist, whose clock the captions follow. It must have
   * `EXT-X-PROGRAM-DATE-TIME`. Of a multivariant playlist, the first variant is used.
   */
  readonly video: string;
  /** Name of the playlist without `.m3u8`, with which all segments begin. Default `captions`. */
  readonly name?: string;
  /** Language of the captions (BCP 47). Default `en`. */
  readonly language?: string;
  /**
   * Segments of the video after which the captions of a segment are written; fewer where the playlist of the video lists fewer
   * than two more. Captions that arrive later are shown late. Players have to play three segments further behind the end of the
   * video, since each reading on the way takes up to one segment. Default 3.
   */
  readonly delaySegments?: number;
  /** Seconds to add to the time of captions, for a video whose dates differ from the clock of this machine. Default 0. */
  readonly shiftSeconds?: number;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Defaults of {@link HlsOptions}. */
export const HLS_DEFAULTS = {
  name: 'captions',
  language: 'en',
  delaySegments: 3,
  shiftSeconds: 0,
} as const satisfies Partial<HlsOptions>;

const DELAY_SEGMENTS_RANGE = { min: 0, max: 100 } as const;

/**
 * Checks options before the event.
 *
 * @throws InvalidArgumentError for a value that cannot be used
 */
export function requireHlsOptions(options: HlsOptions): void {
  namedOptions('HlsOptions', options);
  const { directory, video, name = HLS_DEFAULTS.name, language = HLS_DEFAULTS.language } = options;
  const { delaySegments = HLS_DEFAULTS.delaySegments, shiftSeconds = HLS_DEFAULTS.shiftSeconds } = options;
  const isDirectory = statSync(directory, { throwIfNoEntry: false })?.isDirectory();
  refuseIf(
    directory === '' || isDirectory === false,
    `Cannot write captions for HLS to '${directory}': it is not a directory.`,
  );
  refuseIf(
    video === '' || (isWebAddress(video) && !isPlainAddress(video)),
    'The playlist of the video must be a path or an http address without user name and password.',
  );
  refuseIf(
    !/^[\w-]{1,64}$/.test(name),
    `The name of HLS captions must consist of letters, digits, '-' and '_', not '${name}'.`,
  );
  refuseIf(
    !/^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8})*$/.test(language),
    `The language of HLS captions must be a tag such as 'en' or 'de-CH', not '${language}'.`,
  );
  requireIntegerIn("Option 'delaySegments'", delaySegments, DELAY_SEGMENTS_RANGE);
  refuseIf(!Number.isFinite(shiftSeconds), `Option 'shiftSeconds' must be a number, not ${shiftSeconds}.`);
}

function isPlainAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.username === '' && url.password === '';
}

/** Milliseconds for the check of a video. */
const CHECK_TIMEOUT_MS = 10_000;

/**
 * Checks before the event that captions can follow the video. Resolves with a sentence on what was found.
 *
 * @throws InvalidArgumentError for options that cannot be used; RxscribeError when the video cannot be read or has no clock
 * @example
 * console.log(await checkHls({ directory: 'live', video: 'live/video.m3u8' }));
 */
export async function checkHls(options: HlsOptions): Promise<string> {
  requireHlsOptions(options);
  const { clock = systemClock } = options;
  const lateError = () =>
    new RxscribeError('timeout', `The video did not answer within ${CHECK_TIMEOUT_MS / 1000} s.`);
  return withDeadline({ timeoutMs: CHECK_TIMEOUT_MS, lateError, clock }, async signal => {
    const video = videoSource(options.video);
    const { segments, targetDurationSeconds, isEnded } = await video.playlist(signal);
    const last = segments.at(-1)!;
    await video.firstTime(last, signal);
    const lateSeconds = Math.round((clock.wallTime() - last.startMs) / 1000 - last.durationSeconds);
    const found = `The video lists ${counted(segments.length, 'segment')} of at most ${targetDurationSeconds} s`;
    const state = isEnded ? 'and has ended' : `and ended ${lateSeconds} s ago by the clock of this machine`;
    return `${found} ${state}.`;
  });
}

/**
 * Returns the line that adds the captions to a multivariant playlist in the same directory. Each `EXT-X-STREAM-INF` of it
 * needs the attribute `SUBTITLES="captions"` as well.
 *
 * @example
 * console.log(hlsMediaLine({ language: 'de-CH' }));
 */
export function hlsMediaLine({
  name = HLS_DEFAULTS.name,
  language = HLS_DEFAULTS.language,
}: Pick<HlsOptions, 'name' | 'language'>): string {
  const label = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  const attributes = [
    'TYPE=SUBTITLES',
    'GROUP-ID="captions"',
    `NAME="${label}"`,
    `LANGUAGE="${language}"`,
    'DEFAULT=YES',
    'AUTOSELECT=YES',
    'CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog"',
    `URI="${name}.m3u8"`,
  ];
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
}
