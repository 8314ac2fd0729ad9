import { describe, expect, it } from 'vitest';
import { parseMediaPlaylist } from '../../../../src/captions/outputs/hls/mediaPlaylist.ts';

const HEAD = '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4\n';
const DATE = '#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:10.000Z\n';
const AT = Date.UTC(2026, 0, 1, 0, 0, 10);

describe('parseMediaPlaylist', () => {
  it('numbers and dates segments', () => {
    const text = `${HEAD}#EXT-X-MEDIA-SEQUENCE:7\r\n#EXTINF:4,first\r\na.ts\r\n${DATE}#EXTINF:3.5,\nb.ts\n#EXTINF:4,\nc.ts\n`;
    const { segments, targetDurationSeconds, isEnded } = parseMediaPlaylist(text);
    expect([targetDurationSeconds, isEnded]).toEqual([4, false]);
    expect(segments.map(({ sequence, uri, startMs }) => [sequence, uri, startMs])).toEqual([
      [7, 'a.ts', AT - 4000],
      [8, 'b.ts', AT],
      [9, 'c.ts', AT + 3500],
    ]);
  });

  it('counts discontinuities from the number of those that were dropped', () => {
    const text = `${HEAD}#EXT-X-DISCONTINUITY-SEQUENCE:3\n${DATE}#EXTINF:4,\na.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:4,\nb.ts\n`;
    expect(parseMediaPlaylist(text).segments.map(({ discontinuity }) => discontinuity)).toEqual([3, 4]);
  });

  it('finds byte ranges and initialisation sections', () => {
    const map = '#EXT-X-MAP:URI="all,in.mp4",BYTERANGE="720@16"\n';
    const ranges =
      '#EXT-X-BYTERANGE:100@720\n#EXTINF:4,\nall.mp4\n#EXT-X-BYTERANGE:50\n#EXTINF:4,\nall.mp4\n';
    const { segments } = parseMediaPlaylist(`${HEAD}${map}${DATE}${ranges}#EXT-X-ENDLIST\n`);
    expect(segments.map(({ offset, map }) => [offset, map])).toEqual([
      [720, { uri: 'all,in.mp4', offset: 16 }],
      [820, { uri: 'all,in.mp4', offset: 16 }],
    ]);
    expect(parseMediaPlaylist(`${HEAD}${DATE}#EXTINF:4,\na.ts\n#EXT-X-ENDLIST`).isEnded).toBe(true);
  });

  it('sees which segments are encrypted', () => {
    const key = '#EXT-X-KEY:METHOD=AES-128,URI="key"\n';
    const text = `${HEAD}${DATE}${key}#EXTINF:4,\na.ts\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:4,\nb.ts\n`;
    expect(parseMediaPlaylist(text).segments.map(({ isEncrypted }) => isEncrypted)).toEqual([true, false]);
  });

  it.each([
    ['an empty file', '', 'it does not begin with #EXTM3U'],
    ['a page', '<!doctype html>', 'it does not begin with #EXTM3U'],
    ['no target duration', `#EXTM3U\n${DATE}#EXTINF:4,\na.ts\n`, 'it has no #EXT-X-TARGETDURATION'],
    ['no segment', HEAD, 'it lists no segment yet'],
    ['no dates', `${HEAD}#EXTINF:4,\na.ts\n`, 'with FFmpeg, add -hls_flags program_date_time'],
    ['a bad date', `${HEAD}#EXT-X-PROGRAM-DATE-TIME:now\n#EXTINF:4,\na.ts\n`, 'has no date'],
    ['a segment without duration', `${HEAD}${DATE}a.ts\n`, 'a segment has no #EXTINF'],
    ['a negative duration', `${HEAD}${DATE}#EXTINF:-4,\na.ts\n`, '#EXTINF has no number'],
  ])('refuses %s', (_, text, problem) => {
    expect(() => parseMediaPlaylist(text)).toThrow(problem);
  });
});
