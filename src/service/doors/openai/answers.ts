import { deflateSync } from 'node:zlib';
import { languageName } from '../../../protocol/language.ts';
import { wireSeconds } from '../../../protocol/transcriptJson.ts';
import { captionCues } from '../../../transcript/cues/captionCues.ts';
import { writeSrt } from '../../../transcript/formats/srt.ts';
import { writeVtt } from '../../../transcript/formats/vtt.ts';
import { type Monologue, spanOf, type Transcript, textOf } from '../../../transcript/model/model.ts';
import { type SpokenSentence, sentencesIn } from '../../tasks/sentencesIn.ts';
import { spokenOnly } from '../spokenOnly.ts';
import type { Format, TranscriptionFields } from './fields.ts';

/** A transcription that is done. */
export interface Transcription {
  readonly transcript: Transcript;
  /** Length of the audio. */
  readonly seconds: number;
  /** ISO 639-1. */
  readonly language: string;
}

/** An answer: its media type and its body. */
export interface FormatAnswer {
  readonly type: string;
  readonly body: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Returns a transcription in a format of OpenAI's interface. */
export function answerIn(
  { format, granularities }: Pick<TranscriptionFields, 'format' | 'granularities'>,
  done: Transcription,
): FormatAnswer {
  const text = textIn(done.transcript);
  const json = (value: object) => ({ type: JSON_TYPE, body: JSON.stringify(value) });
  const writers: Readonly<Record<Format, () => FormatAnswer>> = {
    json: () => json({ text, usage: usageOf(done) }),
    text: () => ({ type: TEXT_TYPE, body: `${text}\n` }),
    srt: () => ({ type: TEXT_TYPE, body: writeSrt(cuesOf(done)) }),
    vtt: () => ({ type: 'text/vtt; charset=utf-8', body: writeVtt(cuesOf(done)) }),
    verbose_json: () =>
      json({
        task: 'transcribe',
        language: languageName(done.language),
        duration: wireSeconds(done.seconds),
        text,
        ...(granularities.includes('segment') && { segments: verboseSegments(done.transcript) }),
        ...(granularities.includes('word') && { words: done.transcript.monologues.flatMap(wordsOf) }),
        usage: usageOf(done),
      }),
    diarized_json: () =>
      json({
        task: 'transcribe',
        duration: wireSeconds(done.seconds),
        text,
        segments: diarizedSegments(done.transcript),
        usage: usageOf(done),
      }),
  };
  return writers[format]();
}

/** Returns the use that a client is shown: whole seconds. */
export function usageOf({ seconds }: Pick<Transcription, 'seconds'>) {
  return { type: 'duration', seconds: Math.ceil(seconds) };
}

function textIn({ monologues }: Transcript): string {
  return monologues.map(({ elements }) => textOf(spokenOnly(elements)).trim()).join(' ');
}

function cuesOf({ transcript, seconds, language }: Transcription) {
  return captionCues(transcript, { language, seconds });
}

function wordsOf({ elements }: Monologue) {
  return elements.flatMap(element =>
    element.type === 'text' ? [{ word: element.value, start: element.ts ?? 0, end: element.endTs ?? 0 }] : [],
  );
}

function sentencesOfSpeakers({ monologues }: Transcript) {
  return monologues.flatMap(({ speaker, elements }) =>
    [...sentencesIn(spokenOnly(elements))].flatMap(({ content, elements }) => {
      const span = spanOf(elements);
      return span ? [{ speaker, content, elements, start: span.ts, end: span.endTs }] : [];
    }),
  );
}

/** Returns segments as Whisper has them. Their tokens, temperature and probability of silence are placeholders. */
function verboseSegments(transcript: Transcript) {
  return sentencesOfSpeakers(transcript).map(({ content, elements, start, end }, id) => ({
    id,
    seek: 0,
    start,
    end,
    text: ` ${content}`,
    tokens: [],
    temperature: 0,
    avg_logprob: meanLogarithm(elements),
    // As Whisper computes it.
    compression_ratio: Buffer.byteLength(content) / deflateSync(content).length,
    no_speech_prob: 0,
  }));
}

function meanLogarithm(elements: SpokenSentence['elements']): number {
  const logarithms = elements.flatMap(element =>
    element.type === 'text' && element.confidence !== undefined
      ? [Math.log(Math.max(element.confidence, 0.01))]
      : [],
  );
  return logarithms.length === 0 ? 0 : logarithms.reduce((sum, value) => sum + value) / logarithms.length;
}

function diarizedSegments(transcript: Transcript) {
  const letters = new Map<number, string>();
  return sentencesOfSpeakers(transcript).map(({ speaker, content, start, end }, index) => {
    if (!letters.has(speaker)) letters.set(speaker, letterOf(letters.size));
    const id = `seg_${index}`;
    return {
      type: 'transcript.text.segment',
      id,
      start,
      end,
      text: content,
      speaker: letters.get(speaker)!,
    };
  });
}

/** @example letterOf(27) // 'AB' */
function letterOf(index: number): string {
  const last = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}
