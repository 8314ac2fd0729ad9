import { namedOptions } from '../../base/namedOptions.ts';
import { holesOf } from '../model/coverage.ts';
import type { Transcript } from '../model/model.ts';
import { cutToWidth, textWidth } from '../text/textWidth.ts';
import { type Token, tokensOf } from '../text/tokens.ts';
import {
  CAPTION_PROFILES,
  type CaptionProfile,
  comfortableSeconds,
  leastSeconds,
  readingAmount,
} from './captionProfile.ts';
import { type Cue, SPEAKER_MARK } from './cue.ts';
import { splitCues } from './splitCues.ts';
import { type TimedToken, timedTokens } from './timedTokens.ts';

export interface CaptionCueOptions {
  /** Limits of the captions. Default `CAPTION_PROFILES.netflix`. */
  readonly profile?: CaptionProfile;
  /** ISO 639-1 code, for line breaks. Default `en`. */
  readonly language?: string;
  /** Text before the first word of a new speaker, unless the profile has the name there. Default `>> `. */
  readonly speakerMark?: string;
  /** Seconds of the media, in which all words lie: no caption ends later. Default: no limit. */
  readonly seconds?: number;
}

/** Defaults of {@link CaptionCueOptions}. */
export const CAPTION_CUE_DEFAULTS = {
  profile: CAPTION_PROFILES.netflix,
  language: 'en',
  speakerMark: SPEAKER_MARK,
  seconds: Number.POSITIVE_INFINITY,
} as const satisfies Required<CaptionCueOptions>;

/** Seconds of silence that end a cue. */
const PAUSE_SECONDS = 2;

/**
 * Lays out a transcript as captions that comply with a profile, by the least total cost of line and cue breaks. A new speaker
 * starts a new cue, as do words after a pause or lost audio. Words without times share the time between their neighbours, by
 * length. Cue times are in seconds.
 *
 * @example
 * import { CAPTION_PROFILES, captionCues, readPlainText, writeVtt } from 'rxscribe';
 *
 * const transcript = readPlainText('Speaker 0    00:00:01    Good morning.');
 * writeVtt(captionCues(transcript, { profile: CAPTION_PROFILES.bbc }));
 */
export function captionCues(transcript: Transcript, options: CaptionCueOptions = {}): readonly Cue[] {
  return cueLayout(options)(transcript);
}

/**
 * Returns a function that lays out the versions of a growing transcript as {@link captionCues} does. It remembers the layout of the
 * passages of the last version, so that only new or changed ones cost time.
 */
export function cueLayout(options: CaptionCueOptions = {}): (transcript: Transcript) => readonly Cue[] {
  namedOptions('CaptionCueOptions', options);
  const {
    profile = CAPTION_CUE_DEFAULTS.profile,
    language = CAPTION_CUE_DEFAULTS.language,
    speakerMark = CAPTION_CUE_DEFAULTS.speakerMark,
    seconds = CAPTION_CUE_DEFAULTS.seconds,
  } = options;
  let known = new Map<string, readonly Cue[]>();
  return transcript => {
    const used = new Map<string, readonly Cue[]>();
    const all = passagesOf(transcript, profile, speakerMark);
    const layOut = (passage: Passage, index: number, passages: readonly Passage[]) => {
      const nextTs = passages[index + 1]?.tokens[0]?.ts ?? Number.POSITIVE_INFINITY;
      const key = keyOf(passage, nextTs);
      const cues =
        known.get(key) ??
        splitCues(passage.tokens, profile, language, nextTs).map(lines => spokenCue(lines, passage));
      used.set(key, cues);
      return cues;
    };
    // Each channel has its own time to be read.
    const channels = channelsOf(all);
    const cues = channels.flatMap(channel => {
      const spoken = all.filter(passage => passage.channel === channel).flatMap(layOut);
      return cueTimes(spoken, profile, seconds);
    });
    known = used;
    return channels.length > 1 ? cues.toSorted((one, other) => one.ts - other.ts) : cues;
  };
}

function keyOf({ tokens, speaker, channel }: Passage, nextTs: number): string {
  return `${nextTs}\n${channel ?? ''}\n${speaker ?? ''}\n${tokens.map(({ text, ts, endTs }) => `${ts} ${endTs} ${text}`).join('\n')}`;
}

function spokenCue(lines: readonly (readonly TimedToken[])[], { speaker, channel }: Passage): Cue {
  const [ts, endTs] = [lines[0]![0]!.ts, lines.at(-1)!.at(-1)!.endTs];
  const cue = { ts, endTs, lines: lines.map(line => line.map(token => token.text).join(' ')), speaker };
  return channel === undefined ? cue : { ...cue, channel };
}

/** Words of one speaker without a pause or lost audio. */
interface Passage {
  readonly tokens: readonly TimedToken[];
  readonly speaker?: string;
  readonly channel?: number;
}

function passagesOf(
  transcript: Transcript,
  profile: CaptionProfile,
  speakerMark: string,
): readonly Passage[] {
  const { monologues, coverage = [] } = transcript;
  const holes = holesOf(coverage);
  const several = new Set(monologues.map(({ speaker }) => speaker)).size > 1;
  const turns = monologues
    .map(monologue => ({ ...monologue, tokens: tokensOf(monologue.elements) }))
    .filter(({ tokens }) => tokens.length > 0);
  const fitted = turns.map((turn, index) => {
    const before = turns[index - 1];
    const mark = turnMark(turn.speakerInfo?.displayName, before ? speakerMark : '', profile);
    const opens = several && before?.speaker !== turn.speaker;
    return { ...turn, tokens: cutWide(opens ? marked(turn.tokens, mark) : turn.tokens, profile.columns) };
  });
  // Words of different channels are spoken at the same time.
  const ofChannels = new Map(
    channelsOf(fitted).map(channel => {
      const own = fitted.filter(turn => turn.channel === channel);
      return [channel, timedTokens(own.flatMap(({ tokens }) => tokens))];
    }),
  );
  const taken = new Map<number | undefined, number>();
  return fitted.flatMap(({ speaker, speakerInfo, channel, tokens: { length } }) => {
    const start = taken.get(channel) ?? 0;
    taken.set(channel, start + length);
    const tokens = ofChannels.get(channel)!.slice(start, start + length);
    const label = several || speakerInfo ? (speakerInfo?.displayName ?? `Speaker ${speaker}`) : undefined;
    return splitAtPauses(tokens, holes).map(tokens => ({ tokens, speaker: label, channel }));
  });
}

const channelsOf = (parts: readonly Pick<Passage, 'channel'>[]) => [
  ...new Set(parts.map(({ channel }) => channel)),
];

/** Returns the text before the first word of a turn: the name, or a mark. */
export const turnMark = (name: string | undefined, mark: string, { marksSpeakers }: CaptionProfile) =>
  name === undefined || marksSpeakers ? mark : `${name}: `;

/** Puts the mark of a new speaker before the first token. */
export function marked(tokens: readonly Token[], mark: string): readonly Token[] {
  return tokens.map((token, index) => (index === 0 ? { ...token, text: mark + token.text } : token));
}

/** Cuts tokens that are wider than a line. Only the first piece keeps the start time. */
export function cutWide(tokens: readonly Token[], columns: number): readonly Token[] {
  return tokens.flatMap(token => {
    if (textWidth(token.text) <= columns) return [token];
    return cutToWidth(token.text, columns).map((text, index) =>
      index === 0 ? { text, ts: token.ts } : { text },
    );
  });
}

/**
 * Splits tokens where a silence or lost audio ends a cue. A word across lost audio keeps the longer part of its time.
 *
 * @param holes spans of lost audio, in order
 */
export function splitAtPauses(tokens: readonly TimedToken[], holes: readonly Span[]) {
  const parts: TimedToken[][] = [];
  let next = 0;
  for (const token of tokens) {
    const begin = next;
    while (middleOf(holes[next]) < middleOf(token)) next++;
    const ts = Math.max(token.ts, Math.min(holes[next - 1]?.endTs ?? 0, token.endTs));
    const endTs = Math.max(ts, Math.min(token.endTs, holes[next]?.ts ?? token.endTs));
    const last = parts.at(-1)?.at(-1);
    if (!last || next > begin || ts - last.endTs >= PAUSE_SECONDS) parts.push([]);
    parts.at(-1)?.push({ ...token, ts, endTs });
  }
  return parts;
}

type Span = Pick<Cue, 'ts' | 'endTs'>;
const middleOf = (span?: Span) => (span ? (span.ts + span.endTs) / 2 : Number.POSITIVE_INFINITY);

/** Least duration of a cue in seconds where the profile has none. */
const LEAST_SECONDS = 0.1;

/**
 * Returns the time until which a cue stays on screen although the speech of the next cue has begun: for the least time of the
 * profile, and until it can be read, if that does not make the next cue too late.
 */
export function heldUntil({ ts, lines }: Pick<Cue, 'ts' | 'lines'>, nextTs: number, profile: CaptionProfile) {
  const { minSeconds, minSecondsPerWord, maxLagSeconds, minGapSeconds } = profile;
  const { amount, words } = lengthOf(lines, profile);
  const least = Math.max(LEAST_SECONDS, minSeconds, minSecondsPerWord * words);
  const latest = nextTs - minGapSeconds;
  return Math.max(
    ts + least,
    Math.min(ts + leastSeconds(amount, words, profile), latest + maxLagSeconds),
    Math.min(ts + comfortableSeconds(amount, words, profile), latest + maxLagSeconds / 2),
  );
}

function lengthOf(lines: readonly string[], { speed }: CaptionProfile) {
  const text = lines.join(' ');
  return { amount: readingAmount(text, speed.unit), words: readingAmount(text, 'words') };
}

/**
 * Converts spans of speech to spans on screen: a cue is extended into the silence after it until it can be read, but never
 * overlaps the next one, which may be late by the least time of this one. Times are rounded to milliseconds.
 *
 * @param seconds the time at which all cues have ended
 */
function cueTimes(spoken: readonly Cue[], profile: CaptionProfile, seconds: number): readonly Cue[] {
  let earliest = 0;
  const begun = spoken.map((cue, index) => {
    const ts = wholeMs(Math.max(cue.ts, earliest));
    const nextTs = spoken[index + 1]?.ts ?? Number.POSITIVE_INFINITY;
    earliest = heldUntil({ ...cue, ts }, nextTs, profile) + profile.minGapSeconds;
    return { cue, ts };
  });
  const room = seconds / spoken.length;
  const gap = Math.min(profile.minGapSeconds, room / 3);
  // Cues that would begin too late take time from the cues before them.
  let before = seconds;
  for (const late of begun.toReversed()) {
    const latest = wholeMs(before - Math.min(LEAST_SECONDS, room / 3));
    if (late.ts <= latest) break;
    late.ts = Math.max(0, latest);
    before = latest - gap;
  }
  return begun.map(({ cue, ts }, index) => {
    const latest = (begun[index + 1]?.ts ?? Number.POSITIVE_INFINITY) - gap;
    const end = Math.min(cueEnd({ ...cue, ts }, latest, profile), seconds);
    return { ...cue, ts, endTs: wholeMs(Math.max(end, ts + LEAST_MS / 1000)) };
  });
}

/** Milliseconds of a cue where there are more cues than the media has time for. */
const LEAST_MS = 1;

/**
 * Returns the end of a cue that begins at its `ts`: after its speech, when it can be read, but never later than `latest`.
 *
 * @param latest in seconds; infinite when no cue follows
 */
export function cueEnd({ ts, endTs, lines }: Cue, latest: number, profile: CaptionProfile): number {
  const { amount, words } = lengthOf(lines, profile);
  const end = Math.max(endTs, ts + comfortableSeconds(amount, words, profile), ts + LEAST_SECONDS);
  // Negative gaps, where cues would overlap, are also below the limit.
  const held = latest - end < profile.closeGapsBelowSeconds ? latest : end;
  return Math.min(held, ts + profile.maxSeconds);
}

const wholeMs = (seconds: number) => Math.round(seconds * 1000) / 1000;
