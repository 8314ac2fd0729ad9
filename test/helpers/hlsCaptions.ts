import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface VttParser {
  parse(text: string): {
    readonly errors: readonly { readonly message: string }[];
    readonly cues: readonly {
      readonly startTime: number;
      readonly endTime: number;
      readonly text: string;
    }[];
  };
}

const { WebVTTParser } = createRequire(import.meta.url)('webvtt-parser') as {
  readonly WebVTTParser: new () => VttParser;
};

/** A caption in a segment, in seconds of presentation time. */
export interface SegmentCue {
  readonly ts: number;
  readonly endTs: number;
  readonly text: string;
}

/** A listed segment of captions. */
export interface CaptionSegment {
  readonly sequence: number;
  readonly discontinuity: number;
  readonly startMs: number;
  readonly seconds: number;
  readonly file: string;
  readonly text: string;
  readonly cues: readonly SegmentCue[];
}

export interface CaptionPlaylist {
  readonly targetSeconds: number;
  readonly segments: readonly CaptionSegment[];
  readonly isEnded: boolean;
}

const HEAD =
  /^#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:(\d+)\n#EXT-X-MEDIA-SEQUENCE:(\d+)\n#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)\n/;
const SEGMENT =
  /(#EXT-X-DISCONTINUITY\n)?#EXT-X-PROGRAM-DATE-TIME:([-\d]{10}T[\d:]{8}\.\d{3}Z)\n#EXTINF:(\d+(?:\.\d+)?),\n([\w-]+\.vtt)\n/y;

/**
 * Reads a playlist of captions and its segments by the rules of RFC 8216, more strictly than players do.
 *
 * @throws Error for anything else in the playlist, a duration above the target, a missing segment, or faulty WebVTT
 */
export async function readHlsCaptions(directory: string, name = 'captions'): Promise<CaptionPlaylist> {
  const text = await readFile(join(directory, `${name}.m3u8`), 'utf8');
  const head = HEAD.exec(text);
  if (!head) throw new Error(`bad head: ${text}`);
  const [targetSeconds, firstSequence, firstDiscontinuity] = head.slice(1).map(Number);
  const segments: CaptionSegment[] = [];
  let discontinuity = firstDiscontinuity!;
  let at = head[0].length;
  for (;;) {
    SEGMENT.lastIndex = at;
    const match = SEGMENT.exec(text);
    if (!match) break;
    at = SEGMENT.lastIndex;
    const [, mark, date, duration, file] = match;
    if (mark) discontinuity++;
    const seconds = Number(duration);
    if (Math.round(seconds) > targetSeconds!) throw new Error(`${file} is longer than the target duration`);
    segments.push({
      sequence: firstSequence! + segments.length,
      discontinuity,
      startMs: Date.parse(date!),
      seconds,
      file: file!,
      ...(await readSegment(join(directory, file!))),
    });
  }
  const rest = text.slice(at);
  if (rest !== '' && rest !== '#EXT-X-ENDLIST\n') throw new Error(`bad line: ${rest}`);
  return { targetSeconds: targetSeconds!, segments, isEnded: rest !== '' };
}

async function readSegment(path: string) {
  const text = await readFile(path, 'utf8');
  const map = /^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:(\d+),LOCAL:00:00:(\d\d\.\d{3})\n(?:\n|$)/.exec(text);
  if (!map) throw new Error(`${path} has no timestamp map`);
  const shift = Number(map[1]) / 90_000 - Number(map[2]);
  // The parser knows only the signature; RFC 8216 adds the line after it.
  const { errors, cues } = new WebVTTParser().parse(text.replace(/^X-TIMESTAMP-MAP=.*\n/m, ''));
  if (errors.length > 0) throw new Error(`${path}: ${JSON.stringify(errors)}`);
  return {
    text,
    cues: cues.map(({ startTime, endTime, text }) => ({
      ts: startTime + shift,
      endTs: endTime + shift,
      text,
    })),
  };
}
