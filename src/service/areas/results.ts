import { SRT_MEDIA_TYPE, TEXT_MEDIA_TYPE, VTT_MEDIA_TYPE } from '../../protocol/interfaceNames.ts';
import { CaptionsQuerySchema, SentimentQuerySchema } from '../../protocol/queries.ts';
import {
  LanguageIdResultSchema,
  type SentimentResult,
  SentimentResultSchema,
} from '../../protocol/results.ts';
import { decodeTranscript, TranscriptSchema } from '../../protocol/transcriptJson.ts';
import { captionCues } from '../../transcript/cues/captionCues.ts';
import { type PlainTextOptions, writePlainText } from '../../transcript/formats/plainText.ts';
import { writeSrt } from '../../transcript/formats/srt.ts';
import { writeVtt } from '../../transcript/formats/vtt.ts';
import { spanOf, type Transcript } from '../../transcript/model/model.ts';
import { invalidParameters, ProblemError } from '../problems.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { ResultKind } from './area.ts';

/** The result of forced alignment: words with their times. */
export const alignmentTranscript: ResultKind = {
  path: 'transcript',
  mediaTypes: ({ transcriptMediaType }) => [transcriptMediaType],
  schema: TranscriptSchema,
  isStrict: true,
  unacceptable: 'unsupportedTranscriptFormat',
  render: json => json,
};

/** Returns the transcript result, as JSON or text. */
export function transcriptResult(textOptions: PlainTextOptions): ResultKind {
  return {
    ...alignmentTranscript,
    mediaTypes: ({ transcriptMediaType }) => [TEXT_MEDIA_TYPE, transcriptMediaType],
    render: (json, { record, mediaType }) =>
      mediaType === TEXT_MEDIA_TYPE
        ? writePlainText(readTranscript(json), {
            ...textOptions,
            skipDiarization: record.options?.skip_diarization === true,
          })
        : json,
  };
}

/** The transcript as captions. */
export const captionsResult: ResultKind = {
  path: 'captions',
  source: 'transcript',
  mediaTypes: () => [SRT_MEDIA_TYPE, VTT_MEDIA_TYPE],
  isStrict: false,
  unacceptable: 'unsupportedOutputFormat',
  query: CaptionsQuerySchema,
  problems: ['invalidJobProperties'],
  render(json, { record, mediaType, query }) {
    const channel = query.speaker_channel as number | undefined;
    checkChannel(record, channel);
    const transcript = ofSpeaker(readTranscript(json), channel);
    const cues = captionCues(transcript, { language: record.language, seconds: endOf(transcript, record) });
    return mediaType === VTT_MEDIA_TYPE ? writeVtt(cues) : writeSrt(cues);
  },
};

function readTranscript(json: string): Transcript {
  return decodeTranscript(JSON.parse(json));
}

/** Returns the seconds of the media; undefined for a stream whose times begin later than its audio. */
function endOf({ monologues }: Transcript, { durationSeconds = 0 }: JobRecord): number | undefined {
  const isWithin = monologues.every(({ elements }) => (spanOf(elements)?.endTs ?? 0) <= durationSeconds);
  return isWithin ? durationSeconds : undefined;
}

function ofSpeaker(transcript: Transcript, speaker: number | undefined): Transcript {
  if (speaker === undefined) return transcript;
  return { monologues: transcript.monologues.filter(monologue => monologue.speaker === speaker) };
}

/** Requires `speaker_channel` exactly when the channels of the job were transcribed separately. */
function checkChannel({ options }: JobRecord, channel: number | undefined): void {
  const channels = options?.speaker_channels_count as number | undefined;
  if (channels === undefined && channel === undefined) return;
  if (channels === undefined) {
    const detail = 'The job has no speaker channels. Leave speaker_channel out.';
    throw new ProblemError('invalidJobProperties', { detail });
  }
  if (channel === undefined) {
    const detail = 'The job has speaker channels. Select one with speaker_channel.';
    throw new ProblemError('invalidJobProperties', { detail });
  }
  if (channel >= channels)
    throw invalidParameters({ speaker_channel: [`must be < ${channels}, the channels of the job`] });
}

/** For clients that accept JSON of any kind. */
const JSON_MEDIA_TYPE = 'application/json';

/** The result of language identification: the most probable language, and the others. */
export const languageIdResult: ResultKind = {
  path: 'result',
  mediaTypes: ({ languageIdMediaType }) => [languageIdMediaType, JSON_MEDIA_TYPE],
  schema: LanguageIdResultSchema,
  isStrict: false,
  unacceptable: 'unsupportedOutputFormat',
  render: json => json,
};

/** The result of sentiment analysis: a score for each sentence. */
export const sentimentResult: ResultKind = {
  ...languageIdResult,
  mediaTypes: ({ sentimentMediaType }) => [sentimentMediaType, JSON_MEDIA_TYPE],
  schema: SentimentResultSchema,
  query: SentimentQuerySchema,
  render(json, { query }) {
    const { filter_for: wanted } = query;
    if (wanted === undefined) return json;
    const { messages } = JSON.parse(json) as SentimentResult;
    return JSON.stringify({ messages: messages.filter(({ sentiment }) => sentiment === wanted) });
  },
};
