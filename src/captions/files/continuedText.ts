import { Value } from 'typebox/value';
import { decodeTranscript, TranscriptSchema } from '../../protocol/transcriptJson.ts';
import type { Cue } from '../../transcript/cues/cue.ts';
import { transcriptOfCues } from '../../transcript/cues/transcriptOfCues.ts';
import { continueJsonLines, jsonLinesState } from '../../transcript/formats/jsonLines.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import {
  isPlainText,
  lastLabelOf,
  readPlainText,
  writeParagraphs,
} from '../../transcript/formats/plainText.ts';
import { continueScc, sccState, shifted } from '../../transcript/formats/scc/scc.ts';
import { continueSrt, readSrt } from '../../transcript/formats/srt.ts';
import { continueTtml, ttmlState } from '../../transcript/formats/ttml.ts';
import { continueVtt, readVtt } from '../../transcript/formats/vtt.ts';
import {
  emptyTranscript,
  type Monologue,
  spanOf,
  type Transcript,
  textOf,
} from '../../transcript/model/model.ts';
import { movedBy } from '../../transcript/repair/spliceRepair.ts';
import type { TranscriptEnding } from './transcriptEnding.ts';
import {
  type CueEnding,
  captionSource,
  type TranscriptTextOptions,
  transcriptJsonText,
} from './transcriptText.ts';

/** Content of a transcript file that is continued. */
export interface Continued {
  /** End of the last caption in seconds. */
  readonly endTs: number;
  /** Its text; empty for TTML, SCC and JSON Lines. */
  readonly transcript: Transcript;
  /** Returns the content with another transcript after it, whose times are later by some seconds. */
  textWith(transcript: Transcript, offsetSeconds: number, options: TranscriptTextOptions): string;
}

/**
 * Reads the content of a file with that ending.
 *
 * @returns undefined when the content has another form
 * @throws CaptionFormatError when SubRip or WebVTT is malformed
 */
export function continued(ending: TranscriptEnding, content: string): Continued | undefined {
  if (ending === '.txt') return continuedPlainText(content);
  if (ending === '.json') return continuedJson(content);
  const { read, continueWith } = CUE_FORMATS[ending];
  const found = read(content);
  if (!found) return undefined;
  return {
    transcript: emptyTranscript,
    ...found,
    textWith(transcript, offsetSeconds, options) {
      const { captions = captionSource(options) } = options;
      const cues = shifted(captions(ending, transcript), offsetSeconds);
      return continueWith(content, cues, options) ?? content;
    },
  };
}

const ofCues = (cues: readonly Cue[]) => ({
  endTs: cues.reduce((latest, { endTs }) => Math.max(latest, endTs), 0),
  transcript: transcriptOfCues(cues),
});

interface CueFormat {
  /** Returns what is known of the content; undefined when it has another form. */
  readonly read: (content: string) => (Pick<Continued, 'endTs'> & Partial<Continued>) | undefined;
  readonly continueWith: (
    content: string,
    cues: readonly Cue[],
    options: TranscriptTextOptions,
  ) => string | undefined;
}

const CUE_FORMATS: Readonly<Record<CueEnding, CueFormat>> = {
  '.srt': { read: content => ofCues(readSrt(content)), continueWith: continueSrt },
  '.vtt': { read: content => ofCues(readVtt(content)), continueWith: continueVtt },
  '.ttml': { read: ttmlState, continueWith: continueTtml },
  '.scc': { read: sccState, continueWith: continueScc },
  '.jsonl': { read: jsonLinesState, continueWith: continueJsonLines },
};

/** Characters a second of ordinary speech: they give the end of a turn in plain text, which has only its start. */
const CHARACTERS_PER_SECOND = 15;

function continuedPlainText(content: string): Continued | undefined {
  if (!isPlainText(content)) return undefined;
  const before = readPlainText(content);
  const labelBefore = lastLabelOf(before);
  return {
    endTs: Math.max(0, ...before.monologues.map(estimatedEnd)),
    transcript: before,
    textWith(transcript, offsetSeconds, { language }) {
      const monologues = movedBy(transcript.monologues, offsetSeconds);
      const later = writeParagraphs({ monologues }, { language, labelBefore });
      return content.trim() === '' || later === '' ? content + later : `${content.trimEnd()}\n\n${later}`;
    },
  };
}

function estimatedEnd({ elements }: Monologue): number {
  return (spanOf(elements)?.ts ?? 0) + textOf(elements).length / CHARACTERS_PER_SECOND;
}

function continuedJson(content: string): Continued | undefined {
  const json = jsonOf(content);
  if (!Value.Check(TranscriptSchema, json)) return undefined;
  const { monologues } = decodeTranscript(json);
  const ends = monologues.map(({ elements }) => spanOf(elements)?.endTs ?? 0);
  return {
    endTs: Math.max(0, ...ends),
    transcript: { monologues },
    textWith(transcript, offsetSeconds) {
      const later = movedBy(transcript.monologues, offsetSeconds);
      return transcriptJsonText({ monologues: [...monologues, ...later] });
    },
  };
}
