import { printableJson } from '../../base/text.ts';
import { encodeTranscript } from '../../protocol/transcriptJson.ts';
import { cueLayout } from '../../transcript/cues/captionCues.ts';
import {
  CAPTION_PROFILES,
  type CaptionProfile,
  type CaptionProfileName,
} from '../../transcript/cues/captionProfile.ts';
import type { Cue } from '../../transcript/cues/cue.ts';
import { writeJsonLines } from '../../transcript/formats/jsonLines.ts';
import { writeParagraphs, writePlainText } from '../../transcript/formats/plainText.ts';
import { writeScc } from '../../transcript/formats/scc/scc.ts';
import { SCC_SHAPE } from '../../transcript/formats/scc/sccCaption.ts';
import { writeSrt } from '../../transcript/formats/srt.ts';
import { writeTtml } from '../../transcript/formats/ttml.ts';
import { writeVtt } from '../../transcript/formats/vtt.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { TranscriptEnding } from './transcriptEnding.ts';

export interface TranscriptTextOptions {
  /** Limits of captions. Default `netflix`; `cea608` for SCC, which never has wider rows or more of them. */
  readonly profile?: CaptionProfileName;
  /** Language of the text, for line breaks and for formats that name it. Default `en`. */
  readonly language?: string;
  /** Seconds of the media: no caption ends later. Default: no limit. */
  readonly seconds?: number;
  /** Writes plain text as one block under the first speaker. Default false: a line for each turn. */
  readonly skipDiarization?: boolean;
  /** Writes plain text as paragraphs, see {@link writeParagraphs}. Default false. */
  readonly paragraphs?: boolean;
  /** Layout of captions. Default: a new one of the options above; a {@link captionSource} saves work for growing text. */
  readonly captions?: CaptionSource;
  /** Called with a sentence when a format cannot show all of the transcript, as {@link writeScc}. */
  readonly onNote?: (note: string) => void;
}

/** Function that returns the captions of a transcript within the limits of a format. */
export type CaptionSource = (ending: CueEnding, transcript: Transcript) => readonly Cue[];

/** Defaults of {@link TranscriptTextOptions}. */
export const TRANSCRIPT_TEXT_DEFAULTS = {
  profile: 'netflix',
  language: 'en',
} as const satisfies TranscriptTextOptions;

/** Formats of captions. */
export type CueEnding = Exclude<TranscriptEnding, '.txt' | '.json'>;

const CUE_WRITERS: Readonly<
  Record<CueEnding, (cues: readonly Cue[], options: TranscriptTextOptions) => string>
> = {
  '.srt': writeSrt,
  '.vtt': writeVtt,
  '.ttml': writeTtml,
  '.scc': writeScc,
  '.jsonl': writeJsonLines,
};

/** Returns a transcript in the format of files with that ending. */
export function transcriptAs(
  ending: TranscriptEnding,
  transcript: Transcript,
  options: TranscriptTextOptions = {},
): string {
  if (ending === '.txt') return (options.paragraphs ? writeParagraphs : writePlainText)(transcript, options);
  if (ending === '.json') return transcriptJsonText(transcript);
  const { captions = captionSource(options) } = options;
  return CUE_WRITERS[ending](captions(ending, transcript), options);
}

/** Returns a transcript as indented JSON of the interface. */
export function transcriptJsonText(transcript: Transcript): string {
  return `${printableJson(encodeTranscript(transcript), 2)}\n`;
}

/** Creates a source of captions that lays out each version of a transcript once for all formats with the same limits. */
export function captionSource({
  profile,
  language,
  seconds,
}: Pick<TranscriptTextOptions, 'profile' | 'language' | 'seconds'>): CaptionSource {
  const laidOut = (limits: CaptionProfile, one?: (transcript: Transcript) => Transcript) => {
    const layOut = cueLayout({ profile: limits, language, seconds });
    let last: { readonly transcript: Transcript; readonly cues: readonly Cue[] } | undefined;
    return (transcript: Transcript) => {
      if (last?.transcript !== transcript)
        last = { transcript, cues: layOut(one ? one(transcript) : transcript) };
      return last.cues;
    };
  };
  // SCC cannot show two captions at once, and players of TTML seldom do.
  const ofScc = laidOut(profileFor('.scc', profile), withoutChannels);
  const ofOthers = laidOut(profileFor('.srt', profile));
  const ofTtml = laidOut(profileFor('.ttml', profile), withoutChannels);
  const layouts: Partial<Record<CueEnding, typeof ofScc>> = { '.scc': ofScc, '.ttml': ofTtml };
  return (ending, transcript) => (layouts[ending] ?? ofOthers)(transcript);
}

function withoutChannels(transcript: Transcript): Transcript {
  return { ...transcript, monologues: transcript.monologues.map(turn => ({ ...turn, channel: undefined })) };
}

/** Returns the limits of captions in files with that ending. */
export function profileFor(ending: CueEnding, name?: CaptionProfileName): CaptionProfile {
  if (ending !== '.scc') return CAPTION_PROFILES[name ?? TRANSCRIPT_TEXT_DEFAULTS.profile];
  const profile = CAPTION_PROFILES[name ?? 'cea608'];
  const { columns, rows } = SCC_SHAPE;
  return { ...profile, columns: Math.min(profile.columns, columns), rows: Math.min(profile.rows, rows) };
}
