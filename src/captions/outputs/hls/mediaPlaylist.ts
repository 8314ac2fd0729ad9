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

type UndatedSegment = Omit<MediaSegment, 'startMs'> & { readonly dateMs?: number };

/** The part of a playlist that was read, and the values for the next segment. */
interface Draft {
  readonly segments: readonly UndatedSegment[];
  readonly targetDurationSeconds?: number;
  readonly firstSequence: number;
  readonly discontinuity: number;
  readonly isEnded: boolean;
  readonly durationSeconds?: number;
  readonly dateMs?: number;
  readonly map?: MediaResource;
  readonly isEncrypted: boolean;
  readonly byteRange?: ByteRange;
  /** End of the last byte range, by resource. */
  readonly rangeEnds: ReadonlyMap<string, number>;
}

interface ByteRange {
  readonly length: number;
  readonly offset?: number;
}

const EMPTY: Draft = {
  segments: [],
  firstSequence: 0,
  discontinuity: 0,
  isEnded: false,
  isEncrypted: false,
  rangeEnds: new Map(),
};

/**
 * Parses a media playlist. Segments without a date of their own follow the one before.
 *
 * @throws RxscribeError `unreadable-input` when it is not a media playlist, has no segment yet, or no date at all
 */
export function parseMediaPlaylist(text: string): MediaPlaylist {
  const [first, ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (first?.trim() !== '#EXTM3U') throw malformed('it does not begin with #EXTM3U');
  const read = lines.map(line => line.trim()).reduce(withLine, EMPTY);
  const { targetDurationSeconds, isEnded, segments } = read;
  if (targetDurationSeconds === undefined) throw malformed('it has no #EXT-X-TARGETDURATION');
  if (segments.length === 0) throw malformed('it lists no segment yet');
  return { targetDurationSeconds, isEnded, segments: dated(segments) };
}

interface Tag {
  readonly name: string;
  readonly value: string;
}

const TAGS: Readonly<Record<string, (tag: Tag, draft: Draft) => Partial<Draft>>> = {
  '#EXT-X-TARGETDURATION': tag => ({ targetDurationSeconds: number(tag) }),
  '#EXT-X-MEDIA-SEQUENCE': tag => ({ firstSequence: number(tag) }),
  '#EXT-X-DISCONTINUITY-SEQUENCE': (tag, { discontinuity }) => ({
    discontinuity: discontinuity + number(tag),
  }),
  '#EXT-X-DISCONTINUITY': (_, { discontinuity }) => ({ discontinuity: discontinuity + 1 }),
  '#EXTINF': ({ name, value }) => ({ durationSeconds: number({ name, value: splitOnce(value, ',')[0] }) }),
  '#EXT-X-PROGRAM-DATE-TIME': ({ value }) => ({ dateMs: dateOf(value) }),
  '#EXT-X-MAP': ({ value }) => ({ map: mapOf(value) }),
  '#EXT-X-KEY': ({ value }) => ({ isEncrypted: attribute(value, 'METHOD') !== 'NONE' }),
  '#EXT-X-BYTERANGE': ({ value }) => ({ byteRange: rangeOf(value) }),
  '#EXT-X-ENDLIST': () => ({ isEnded: true }),
};

function withLine(draft: Draft, line: string): Draft {
  if (line.startsWith('#EXT')) {
    const [name, value = ''] = splitOnce(line, ':');
    return { ...draft, ...TAGS[name]?.({ name, value }, draft) };
  }
  return line === '' || line.startsWith('#') ? draft : withSegment(draft, line);
}

function withSegment(draft: Draft, uri: string): Draft {
  const { segments, durationSeconds, dateMs, byteRange, map, isEncrypted, discontinuity } = draft;
  if (durationSeconds === undefined) throw malformed('a segment has no #EXTINF');
  const offset = byteRange ? (byteRange.offset ?? draft.rangeEnds.get(uri) ?? 0) : 0;
  const sequence = draft.firstSequence + segments.length;
  const segment = { sequence, uri, offset, durationSeconds, discontinuity, isEncrypted, map, dateMs };
  return {
    ...draft,
    segments: [...segments, segment],
    rangeEnds: byteRange ? new Map([...draft.rangeEnds, [uri, offset + byteRange.length]]) : draft.rangeEnds,
    durationSeconds: undefined,
    dateMs: undefined,
    byteRange: undefined,
  };
}

function dated(drafts: readonly UndatedSegment[]): readonly MediaSegment[] {
  const known = drafts.findIndex(({ dateMs }) => dateMs !== undefined);
  if (known === -1) {
    throw malformed('it has no #EXT-X-PROGRAM-DATE-TIME; with FFmpeg, add -hls_flags program_date_time');
  }
  const before = drafts.slice(0, known).reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  let nextMs = (drafts[known]?.dateMs ?? 0) - before * 1000;
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

function rangeOf(value: string): ByteRange {
  const [length, offset] = value.split('@').map(part => number({ name: '#EXT-X-BYTERANGE', value: part }));
  return { length: length ?? 0, offset };
}

/** Returns an attribute of a list, without its quotes. */
function attribute(list: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|,)${name}=(?:"([^"]*)"|([^",]*))`).exec(list);
  return match?.[1] ?? match?.[2];
}

function number({ name, value }: Tag): number {
  const read = value.trim() === '' ? Number.NaN : Number(value);
  if (read >= 0 && read <= Number.MAX_SAFE_INTEGER) return read;
  throw malformed(`${name} has no number`);
}

function dateOf(text: string): number {
  const value = Date.parse(text.trim());
  if (Number.isNaN(value)) throw malformed('#EXT-X-PROGRAM-DATE-TIME has no date');
  return value;
}

function splitOnce(text: string, mark: string): [before: string, after?: string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function malformed(problem: string): RxscribeError {
  return new RxscribeError('unreadable-input', `The playlist of the video cannot be used: ${problem}.`);
}
