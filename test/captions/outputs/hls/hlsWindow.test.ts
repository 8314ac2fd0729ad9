import { describe, expect, it } from 'vitest';
import {
  captionPlaylist,
  type HlsWindow,
  withVideo,
} from '../../../../src/captions/outputs/hls/hlsWindow.ts';
import type { MediaPlaylist } from '../../../../src/captions/outputs/hls/mediaPlaylist.ts';

/** The playlist of a video with segments from one number to another, the last one included. */
function video(
  first: number,
  last: number,
  { breaks = [] as readonly number[], dropped = 0 } = {},
): MediaPlaylist {
  const sequences = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const segments = sequences.map(sequence => ({
    sequence,
    uri: `video${sequence}.ts`,
    offset: 0,
    durationSeconds: 2,
    startMs: sequence * 2000,
    discontinuity: dropped + breaks.filter(at => at >= first && at <= sequence).length,
    isEncrypted: false,
  }));
  return { targetDurationSeconds: 2, segments, isEnded: false };
}

const written = (window: HlsWindow): HlsWindow => ({ ...window, written: window.segments.length });
const sequencesOf = ({ segments }: Pick<HlsWindow, 'segments'>) => segments.map(({ sequence }) => sequence);

describe('withVideo', () => {
  it('ignores an older version of the playlist', () => {
    const window = written(withVideo(undefined, video(4, 9)));
    const { segments, written: count } = withVideo(window, video(2, 7));
    expect([sequencesOf({ segments }), count]).toEqual([[4, 5, 6, 7, 8, 9], 6]);
  });

  it('takes over the discontinuity numbers of an encoder that drops a discontinuity without counting it', () => {
    const window = withVideo(undefined, video(0, 5, { breaks: [2] }));
    const later = withVideo(window, video(3, 7, { breaks: [2] }));
    expect(later.segments.map(({ discontinuity }) => discontinuity)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    const counted = withVideo(window, video(3, 7, { breaks: [2], dropped: 1 }));
    expect(counted.segments.map(({ discontinuity }) => discontinuity)).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
  });
});

describe('captionPlaylist', () => {
  it('marks discontinuities, and counts those before the first segment', () => {
    const window = written(withVideo(undefined, video(7, 8, { breaks: [8], dropped: 3 })));
    expect(captionPlaylist(window, { name: 'captions', isEnded: true })).toBe(
      [
        ...['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:2', '#EXT-X-MEDIA-SEQUENCE:7'],
        '#EXT-X-DISCONTINUITY-SEQUENCE:3',
        ...['#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:14.000Z', '#EXTINF:2,', 'captions-7-14000.vtt'],
        '#EXT-X-DISCONTINUITY',
        ...['#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:16.000Z', '#EXTINF:2,', 'captions-8-16000.vtt'],
        '#EXT-X-ENDLIST\n',
      ].join('\n'),
    );
  });
});
