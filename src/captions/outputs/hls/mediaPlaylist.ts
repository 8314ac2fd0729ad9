import { RxscribeError } from '../../../base/errors.ts';

/** A resource of a playlist, or a part of one. */
export interface MediaResource {
  readonly uri: string;
  /** Offset of the first byte. */
  readonly offset: number;
}

/** A segment of a media playlist. */
export interface MediaSegment extends MediaResource {
  /** Media sequence number. */
  readonly sequence: number;
  readonly durationSeconds: number;
  /** Time of day of its first sample, in milliseconds since 1970-01-01 UTC. */
  readonly startMs: number;
  /** Discontinuity sequence number: segments of one number have one continuous timeline. */
  readonly discontinuity: number;
  /** Initialisation section of fragmented MP4. */
  readonly map?: MediaResource;
  readonly isEncrypted: boolean;
}

/** A media playlist (RFC 8216, section 4) with a date for each segment. */
export interface MediaPlaylist {
  readonly targetDurationSeconds: number;
  readonly segments: readonly MediaSegment[];
  /** True when no segment follows. */
  readonly isEnded: boolean;
}

/** Segments without a date, and what applies to the next one. */
interface Draft {
  readonly segments: (Omit<MediaSegment, 'startMs'> & { readonly dateMs?: number })[];
  targetDurationSeconds?: number;
  firstSequence: number;
  discontinuity: number;
  isEnded: boolean;
  durationSeconds?: number;
  dateMs?: number;
  map?: MediaResource;
  isEncrypted: boolean;
  byteRange?: { readonly length: number; readonly offset?: number };
  /** End of the last byte range, by resource. */
  readonly rangeEnds: Map<string, number>;
}

/**
 * Parses a media playlist. Segments without a date of their own follow the one before.
 *
 * @throws RxscribeError `unreadable-input` when it is not a media playlist, has no segment yet, or no date at all
 */
export function parseMediaPlaylist(text: string): MediaPlaylist {
  const [first, ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (first?.trim() !== '#EXTM3U') throw malformed('it does not begin with #EXTM3U');
  const draft: Draft = {
    segments: [],
    firstSequence: 0,
    discontinuity: 0,
    isEnded: false,
    isEncrypted: false,
    rangeEnds: new Map(),
  };
  for (const raw of lines) {
    const line = raw.trim();
    if (line.startsWith('#EXT')) readTag(draft, line);
    else if (line !== '' && !line.startsWith('#')) addSegment(draft, line);
  }
  const { targetDurationSeconds, isEnded } = draft;
  if (targetDurationSeconds === undefined) throw malformed('it has no #EXT-X-TARGETDURATION');
  if (draft.segments.length === 0) throw malformed('it lists no segment yet');
  return { targetDurationSeconds, isEnded, segments: dated(draft.segments) };
}

/** Returns the address of the first variant of a multivariant playlist; undefined for any other text. */
export function firstVariantOf(text: string): string | undefined {
  return /^#EXT-X-STREAM-INF:.*\r?\n(?:\s*(?:#.*)?\r?\n)*([^#\s].*)/m.exec(text)?.[1]?.trim();
}

function readTag(draft: Draft, line: string): void {
  const [tag, value = ''] = splitOnce(line, ':');
  switch (tag) {
    case '#EXT-X-TARGETDURATION':
      draft.targetDurationSeconds = number(tag, value);
      break;
    case '#EXT-X-MEDIA-SEQUENCE':
      draft.firstSequence = number(tag, value);
      break;
    case '#EXT-X-DISCONTINUITY-SEQUENCE':
      draft.discontinuity += number(tag, value);
      break;
    case '#EXT-X-DISCONTINUITY':
      draft.discontinuity++;
      break;
    case '#EXTINF':
      draft.durationSeconds = number(tag, splitOnce(value, ',')[0]);
      break;
    case '#EXT-X-PROGRAM-DATE-TIME':
      draft.dateMs = dateOf(value);
      break;
    case '#EXT-X-MAP':
      draft.map = mapOf(value);
      break;
    case '#EXT-X-KEY':
      draft.isEncrypted = attribute(value, 'METHOD') !== 'NONE';
      break;
    case '#EXT-X-BYTERANGE':
      draft.byteRange = rangeOf(value);
      break;
    case '#EXT-X-ENDLIST':
      draft.isEnded = true;
      break;
  }
}

function addSegment(draft: Draft, uri: string): void {
  const { segments, durationSeconds, dateMs, byteRange, map, isEncrypted, discontinuity } = draft;
  if (durationSeconds === undefined) throw malformed('a segment has no #EXTINF');
  const offset = byteRange ? (byteRange.offset ?? draft.rangeEnds.get(uri) ?? 0) : 0;
  if (byteRange) draft.rangeEnds.set(uri, offset + byteRange.length);
  segments.push({
    sequence: draft.firstSequence + segments.length,
    uri,
    offset,
    durationSeconds,
    discontinuity,
    isEncrypted,
    map,
    dateMs,
  });
  draft.durationSeconds = undefined;
  draft.dateMs = undefined;
  draft.byteRange = undefined;
}

function dated(drafts: Draft['segments']): readonly MediaSegment[] {
  const known = drafts.findIndex(({ dateMs }) => dateMs !== undefined);
  if (known === -1) {
    throw malformed('it has no #EXT-X-PROGRAM-DATE-TIME; with FFmpeg, add -hls_flags program_date_time');
  }
  const before = drafts.slice(0, known).reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  let nextMs = drafts[known]!.dateMs! - before * 1000;
  return drafts.map(({ dateMs, ...segment }) => {
    const startMs = dateMs ?? Math.round(nextMs);
    nextMs = startMs + segment.durationSeconds * 1000;
    return { ...segment, startMs };
  });
}

function mapOf(attributes: string): MediaResource {
  const uri = attribute(attributes, 'URI');
  if (uri === undefined) throw malformed('#EXT-X-MAP has no URI');
  return { uri, offset: rangeOf(attribute(attributes, 'BYTERANGE') ?? '0').offset ?? 0 };
}

function rangeOf(value: string): { readonly length: number; readonly offset?: number } {
  const [length, offset] = splitOnce(value, '@');
  return {
    length: number('#EXT-X-BYTERANGE', length),
    offset: offset === undefined ? undefined : number('#EXT-X-BYTERANGE', offset),
  };
}

/** Returns an attribute of a list, without its quotes. */
function attribute(list: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|,)${name}=(?:"([^"]*)"|([^",]*))`).exec(list);
  return match?.[1] ?? match?.[2];
}

function number(tag: string, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) return value;
  throw malformed(`${tag} has no number`);
}

function dateOf(text: string): number {
  const value = Date.parse(text.trim());
  if (Number.isNaN(value)) throw malformed('#EXT-X-PROGRAM-DATE-TIME has no date');
  return value;
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function malformed(problem: string): RxscribeError {
  return new RxscribeError('unreadable-input', `The playlist of the video cannot be used: ${problem}.`);
}
