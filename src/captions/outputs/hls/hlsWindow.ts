import type { MediaPlaylist, MediaSegment } from './mediaPlaylist.ts';

/** Segments of captions: those of the video that were written, and those after them that were not. */
export interface HlsWindow {
  /** Without gaps in their sequence. */
  readonly segments: readonly MediaSegment[];
  /** Number of segments, from the first one, whose captions were written. They never change. */
  readonly written: number;
  readonly targetDurationSeconds: number;
  /** Number of segments in the playlist of the video. */
  readonly listed: number;
  /** True once the playlist of the video has dropped a segment. */
  readonly isSliding: boolean;
  readonly isEnded: boolean;
}

/** Returns the window of captions that were written earlier. */
export function writtenWindow({ segments, targetDurationSeconds }: MediaPlaylist): HlsWindow {
  return {
    segments,
    written: segments.length,
    targetDurationSeconds,
    listed: segments.length,
    isSliding: false,
    isEnded: false,
  };
}

/**
 * Adds new segments of the video. When they do not follow the known ones, as after a restart of the encoder or a long outage,
 * the window begins anew.
 */
export function withVideo(window: HlsWindow | undefined, playlist: MediaPlaylist): HlsWindow {
  const { segments, targetDurationSeconds, isEnded } = playlist;
  const video = { targetDurationSeconds, isEnded, listed: segments.length };
  const fresh = window && followingSegments(window.segments, segments);
  if (!fresh) return { ...video, segments, written: 0, isSliding: false };
  const known = renumbered(window.segments, segments);
  const hasDropped = segments[0]!.sequence > known[0]!.sequence && known.length >= segments.length;
  return {
    ...video,
    segments: [...known, ...fresh],
    written: window.written,
    isSliding: window.isSliding || hasDropped,
  };
}

/** Returns the new segments after the known ones; undefined when they do not follow them. */
function followingSegments(
  known: readonly MediaSegment[],
  listed: readonly MediaSegment[],
): readonly MediaSegment[] | undefined {
  const last = known.at(-1)!;
  const at = listed.findIndex(segment => isSame(segment, last));
  if (at >= 0) return listed.slice(at + 1);
  const isNext = listed[0]!.sequence === last.sequence + 1 && listed[0]!.startMs > last.startMs;
  if (isNext) return listed;
  // A cache may return an older playlist.
  return known.some(segment => isSame(segment, listed.at(-1)!)) ? [] : undefined;
}

/** Compares segments by number and date; an encoder that was started again may count from 0. */
function isSame(one: MediaSegment, other: MediaSegment): boolean {
  return one.sequence === other.sequence && Math.abs(one.startMs - other.startMs) < one.durationSeconds * 500;
}

/**
 * Returns the known segments with the discontinuity numbers that the video gives them now: encoders may drop a discontinuity
 * from their playlist without counting it.
 */
function renumbered(
  known: readonly MediaSegment[],
  listed: readonly MediaSegment[],
): readonly MediaSegment[] {
  const last = known.at(-1)!;
  const same = listed.find(({ sequence }) => sequence === last.sequence);
  const change = same ? same.discontinuity - last.discontinuity : 0;
  if (change === 0) return known;
  return known.map(segment => ({ ...segment, discontinuity: Math.max(0, segment.discontinuity + change) }));
}

/** Minimum duration of a live playlist, in target durations (RFC 8216, section 6.2.2). */
const LEAST_TARGET_DURATIONS = 3;

/** Returns the segments whose captions are due: those with at least as many segments after them as the delay. */
export function dueSegments(
  { segments, written, listed, isSliding }: HlsWindow,
  delaySegments: number,
): readonly MediaSegment[] {
  // Captions for segments that the video no longer lists would have no viewer.
  const delay = isSliding ? Math.min(delaySegments, Math.max(1, listed - 2)) : delaySegments;
  return segments.slice(written, Math.max(written, segments.length - delay));
}

/** Removes the written segments that are no longer listed. */
export function trimmed(window: HlsWindow): HlsWindow {
  const { segments, written, listed, targetDurationSeconds } = window;
  let first = written;
  let seconds = 0;
  while (
    first > 0 &&
    (written - first < listed || seconds < LEAST_TARGET_DURATIONS * targetDurationSeconds)
  ) {
    first--;
    seconds += segments[first]!.durationSeconds;
  }
  return { ...window, segments: segments.slice(first), written: written - first };
}

/** Returns the file name of a segment, which no other segment has, also after a restart of the encoder. */
export function segmentName(name: string, { sequence, startMs }: MediaSegment): string {
  return `${name}-${sequence}-${startMs}.vtt`;
}

/** Writes the playlist of the written segments (RFC 8216, section 4). */
export function captionPlaylist(
  { segments, written, targetDurationSeconds }: HlsWindow,
  options: { readonly name: string; readonly isEnded: boolean },
): string {
  const listed = segments.slice(0, written);
  const longest = Math.max(
    targetDurationSeconds,
    ...listed.map(segment => Math.round(segment.durationSeconds)),
  );
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-TARGETDURATION:${longest}`,
    `#EXT-X-MEDIA-SEQUENCE:${listed[0]?.sequence ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${listed[0]?.discontinuity ?? 0}`,
    ...listed.flatMap((segment, index) => [
      ...(isContinuous(listed[index - 1] ?? segment, segment) ? [] : ['#EXT-X-DISCONTINUITY']),
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.startMs).toISOString()}`,
      `#EXTINF:${segment.durationSeconds},`,
      segmentName(options.name, segment),
    ]),
    ...(options.isEnded ? ['#EXT-X-ENDLIST'] : []),
    '',
  ].join('\n');
}

/** Returns whether a segment continues the timeline of the one before it. */
export function isContinuous(before: MediaSegment, segment: MediaSegment): boolean {
  return before.discontinuity === segment.discontinuity;
}
