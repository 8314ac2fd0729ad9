import {
  cueEnd,
  cutWide,
  heldUntil,
  marked,
  splitAtPauses,
  turnMark,
} from '../../transcript/cues/captionCues.ts';
import type { CaptionProfile } from '../../transcript/cues/captionProfile.ts';
import { type Cue, SPEAKER_MARK } from '../../transcript/cues/cue.ts';
import { splitCues } from '../../transcript/cues/splitCues.ts';
import { type TimedToken, timedTokens } from '../../transcript/cues/timedTokens.ts';
import type { FinalEvent, HoleEvent, LiveEvent } from '../../transcript/model/events.ts';
import { channelOf } from '../../transcript/model/events.ts';
import { tokensOf } from '../../transcript/text/tokens.ts';

/** Layout of live cues. */
export interface CueLayout {
  readonly profile: CaptionProfile;
  /** ISO 639-1 code, for line breaks. */
  readonly language: string;
  /** Returns the name of a speaker; undefined for one without a name. */
  readonly speakerName: (speaker: number, channel: number) => string | undefined;
}

export type CueInput =
  | LiveEvent
  /** Sent when the wait of the open cue is over. */
  | { readonly type: 'due' }
  | { readonly type: 'end' };

/** A caption with the span of its speech, not yet the one on screen. */
interface SpokenCue extends Cue {
  readonly tokens: readonly TimedToken[];
}

/** The last cue, whose end is not decided. Words of the next final may join it. */
interface OpenCue extends SpokenCue {
  /** Time of the clock when its first word arrived, in milliseconds. */
  readonly sinceMs: number;
  /** Time of the clock when its end is decided at the latest, in milliseconds. */
  readonly dueMs: number;
}

/** State of the cues of a channel. */
export interface LiveCueState {
  readonly open?: OpenCue;
  /** End of the last decided cue in seconds; minus infinity before the first one. */
  readonly endTs: number;
  /** Channel and speaker of the last words of all channels. */
  readonly voice?: string;
  readonly hasSeveralVoices: boolean;
  /** Start of the unfinished utterance after the last final, in seconds. */
  readonly speechTs?: number;
  /** The latest spans of lost audio. */
  readonly holes: readonly HoleEvent[];
}

/** Remembered holes; a final may come long after one within it. */
const MAX_HOLES = 50;

export const initialLiveCueState: LiveCueState = {
  endTs: Number.NEGATIVE_INFINITY,
  hasSeveralVoices: false,
  holes: [],
};

export interface CueStep {
  readonly state: LiveCueState;
  /** Cues whose end is decided now, each with the start of its speech. They never change. */
  readonly cues: readonly (Cue & { readonly speechTs: number })[];
}

/** Maximum number of milliseconds for which a word waits for the end of its cue. */
export const MAX_CUE_WAIT_MS = 7000;

/** Applies an event that arrived at `nowMs` of the clock. Pure. */
export function nextCues(state: LiveCueState, input: CueInput, nowMs: number, layout: CueLayout): CueStep {
  switch (input.type) {
    case 'final':
      return onFinal(state, input, nowMs, layout);
    case 'partial':
      return { state: { ...state, speechTs: input.ts }, cues: [] };
    case 'silence': {
      const isOver = state.open && decidedTs(state.open, state.endTs, layout.profile) <= input.endTs;
      return isOver ? close(state, layout.profile) : { state, cues: [] };
    }
    case 'hole':
      return { state: { ...state, holes: [...state.holes, input].slice(-MAX_HOLES) }, cues: [] };
    case 'due':
      return close(state, layout.profile, state.speechTs);
    case 'end':
      return close(state, layout.profile);
    default:
      return { state, cues: [] };
  }
}

function onFinal(before: LiveCueState, final: FinalEvent, nowMs: number, layout: CueLayout): CueStep {
  if (final.takesBack) return { state: withoutTyped(before, final.ts, layout), cues: [] };
  const { profile } = layout;
  const { speaker = 0 } = final;
  const voice = `${channelOf(final)}:${speaker}`;
  const isFirst = before.voice === undefined;
  const isNewVoice = !isFirst && before.voice !== voice;
  const given = layout.speakerName(speaker, channelOf(final));
  const mark = before.voice === voice ? '' : turnMark(given, isFirst ? '' : SPEAKER_MARK, profile);
  const heard = tokensOfFinal(final, profile.columns, mark);
  const [first] = heard;
  if (!first) return { state: before, cues: [] };
  const hasSeveralVoices = before.hasSeveralVoices || isNewVoice;
  const holes = before.holes.filter(hole => channelOf(hole) === channelOf(final));
  const end = before.open?.tokens.at(-1);
  const isApart = !end || first.ts < end.ts || splitAtPauses([end, first], holes).length > 1;
  // Without a pause or lost audio, and not from an earlier time.
  const joined = isNewVoice || final.opensParagraph || isApart ? undefined : before.open;
  const { open: separate, speechTs: _, ...rest } = { ...before, voice, hasSeveralVoices };
  const step = joined || !separate ? { state: rest, cues: [] } : decide(rest, [separate], first.ts, profile);
  const tokens = [...(joined?.tokens ?? []), ...heard];
  const parts = splitAtPauses(tokens, holes);
  const number = hasSeveralVoices ? `Speaker ${speaker}` : undefined;
  const name = given ?? number;
  const laid = layOut(parts, name, step.state.endTs, layout);
  const last = laid.at(-1);
  if (!last) return step;
  const { state, cues } = decide(step.state, laid.slice(0, -1), last.ts, profile);
  const sinceMs = joined && last.ts < first.ts ? joined.sinceMs : nowMs;
  const waitSeconds = Math.max(0, decidedTs(last, state.endTs, profile) - final.endTs);
  const dueMs = Math.min(sinceMs + MAX_CUE_WAIT_MS, nowMs + waitSeconds * 1000);
  return { state: { ...state, open: { ...last, sinceMs, dueMs } }, cues: [...step.cues, ...cues] };
}

/** Returns the state without the words from a time on in the open cue. */
function withoutTyped({ open, ...state }: LiveCueState, ts: number, layout: CueLayout): LiveCueState {
  const tokens = open?.tokens.filter(token => token.ts < ts) ?? [];
  const [left] = layOut([tokens], open?.speaker, state.endTs, layout);
  return open && left ? { ...state, open: { ...open, ...left } } : state;
}

/** Returns the tokens of a final with times within its span. */
function tokensOfFinal(final: FinalEvent, columns: number, mark: string): readonly TimedToken[] {
  const tokens = tokensOf(final.elements);
  if (tokens.length === 0) return [];
  const [first, ...rest] = cutWide(marked(tokens, mark), columns);
  if (!first) return [];
  // The token at the end limits the times of words without times to the end of the final.
  const end = { text: '', ts: final.endTs, endTs: final.endTs };
  const timed = timedTokens([{ ...first, ts: first.ts ?? final.ts }, ...rest, end]).slice(0, -1);
  const within = (ts: number) => Math.max(final.ts, Math.min(ts, final.endTs));
  return timed.map(({ text, ts, endTs }) => ({ text, ts: within(ts), endTs: within(endTs) }));
}

function layOut(
  parts: readonly (readonly TimedToken[])[],
  speaker: string | undefined,
  endTs: number,
  { profile, language }: CueLayout,
): readonly SpokenCue[] {
  // Words before the end of the last cue are shown after it, so they have less time.
  const earliestTs = endTs + profile.minGapSeconds;
  const late = ({ text, ts, endTs }: TimedToken) => ({
    text,
    ts: Math.max(ts, earliestTs),
    endTs: Math.max(endTs, earliestTs),
  });
  const cues = parts.flatMap(part => splitCues(part.map(late), profile, language, Number.POSITIVE_INFINITY));
  const tokens = parts.flat();
  let end = 0;
  return cues.map(lines => {
    const start = end;
    end += lines.flat().length;
    const own = tokens.slice(start, end);
    return {
      ts: own[0]?.ts ?? endTs,
      endTs: own.at(-1)?.endTs ?? endTs,
      lines: lines.map(line => line.map(token => token.text).join(' ')),
      speaker,
      tokens: own,
    };
  });
}

/** Decides the open cue; the next one begins at `nextTs` or later. */
function close(before: LiveCueState, profile: CaptionProfile, nextTs = Number.POSITIVE_INFINITY): CueStep {
  const { open, ...state } = before;
  return open ? decide(state, [open], nextTs, profile) : { state, cues: [] };
}

function decide(
  before: LiveCueState,
  spoken: readonly SpokenCue[],
  nextTs: number,
  profile: CaptionProfile,
): CueStep {
  let { endTs } = before;
  const cues = spoken.map((cue, index) => {
    const shown = onScreen(cue, endTs, spoken[index + 1]?.ts ?? nextTs, profile);
    endTs = shown.endTs;
    return shown;
  });
  return { state: { ...before, endTs }, cues };
}

/**
 * Returns a cue with its span on screen: until it can be read or the next one begins, but at least for the least time of the
 * profile, by which the next one may be late.
 */
function onScreen(
  { ts: spokenTs, endTs, lines, speaker }: SpokenCue,
  before: number,
  nextTs: number,
  profile: CaptionProfile,
): Cue & { readonly speechTs: number } {
  const ts = startOf(spokenTs, before, profile);
  const cue = { ts, endTs, lines, speaker };
  const latest = Math.max(nextTs - profile.minGapSeconds, heldUntil(cue, nextTs, profile));
  return { ...cue, endTs: wholeMs(cueEnd(cue, latest, profile)), speechTs: spokenTs };
}

/** Returns the start of a cue on screen. A gap that is too short to be seen as such is closed by an earlier start. */
function startOf(
  ts: number,
  before: number,
  { minGapSeconds, closeGapsBelowSeconds }: CaptionProfile,
): number {
  const isClose = ts - before < Math.max(minGapSeconds, closeGapsBelowSeconds);
  return wholeMs(Math.max(0, isClose ? before + minGapSeconds : ts));
}

/** Returns the time, in seconds of the audio, from which no speech can change the end of a cue. */
function decidedTs(cue: Cue, before: number, profile: CaptionProfile): number {
  const ts = startOf(cue.ts, before, profile);
  const end = cueEnd({ ...cue, ts }, Number.POSITIVE_INFINITY, profile);
  return end + Math.max(profile.minGapSeconds, profile.closeGapsBelowSeconds);
}

const wholeMs = (seconds: number) => Math.round(seconds * 1000) / 1000;
