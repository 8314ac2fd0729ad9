import { Value } from 'typebox/value';
import { messageOf } from '../../base/errors.ts';
import { decodeTranscript, TranscriptSchema } from '../../protocol/transcriptJson.ts';
import { spanOf, type Transcript, textOf } from '../../transcript/model/model.ts';
import type { SessionRun } from '../session/sessionRun.ts';
import { type Reference, type ReferenceSegment, UnreadableReferenceError } from './reference.ts';

/** Parses the JSON of a transcript, as rxscribe and its service write it, into segments. */
export function parseTranscript(text: string, path?: string): readonly ReferenceSegment[] {
  const json = parseJson(text, path);
  if (Value.Check(TranscriptSchema, json)) return segmentsOfTranscript(decodeTranscript(json));
  const [first] = Value.Errors(TranscriptSchema, json);
  const place = first?.instancePath || 'the file';
  throw new UnreadableReferenceError(
    { path },
    `it is not a transcript ({ "monologues": [...] }): ${place} ${first?.message ?? 'is wrong'}`,
  );
}

function parseJson(text: string, path?: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The message of the cause quotes the text, so only its position is used.
    const position = Number(/position (\d+)/.exec(messageOf(cause))?.[1] ?? text.length);
    const line = text.slice(0, position).split('\n').length;
    throw new UnreadableReferenceError({ path, line }, 'it is not JSON');
  }
}

/** Returns a segment per monologue, with the name of the speaker or else the number. */
export function segmentsOfTranscript({ monologues }: Transcript): readonly ReferenceSegment[] {
  return monologues.flatMap(({ speaker, speakerInfo, elements }) => {
    const text = textOf(elements).trim();
    const named = speakerInfo?.displayName || String(speaker);
    return text === '' ? [] : [{ text, speaker: named, ...spanOf(elements) }];
  });
}

/** Uses the transcript of a run as a reference, to see what has changed since a cassette was recorded. */
export function referenceOfRun({ transcript }: Pick<SessionRun, 'transcript'>): Reference {
  return { kind: 'cassette', segments: segmentsOfTranscript(transcript) };
}
