import { Value } from 'typebox/value';
import { messageOf } from '../../base/errors.ts';
import { decodeTranscript, TranscriptSchema } from '../../protocol/transcriptJson.ts';
import { spanOf, type Transcript, textOf } from '../../transcript/model/model.ts';
import type { SessionRun } from '../session/sessionRun.ts';
import { type Reference, type ReferenceSegment, UnreadableReferenceError } from './reference.ts';

/** The monologues of a transcript as JSON, as this program and its service write it. */
export function parseTranscript(text: string, path?: string): readonly ReferenceSegment[] {
  const json = parseJson(text, path);
  if (Value.Check(TranscriptSchema, json)) return segmentsOfTranscript(decodeTranscript(json));
  const [first] = Value.Errors(TranscriptSchema, json);
  const place = first?.instancePath || 'the whole';
  throw new UnreadableReferenceError(
    { path },
    `wanted a transcript ({ "monologues": [...] }), found another value at ${place}: ${first?.message ?? ''}`,
  );
}

function parseJson(text: string, path?: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // Its message quotes the text; only the place is told.
    const position = Number(/position (\d+)/.exec(messageOf(cause))?.[1] ?? text.length);
    const line = text.slice(0, position).split('\n').length;
    throw new UnreadableReferenceError({ path, line }, 'wanted JSON, found another text');
  }
}

/** What each speaker of a transcript said: a name where one is known, else the number. */
export function segmentsOfTranscript({ monologues }: Transcript): readonly ReferenceSegment[] {
  return monologues.flatMap(({ speaker, speakerInfo, elements }) => {
    const text = textOf(elements).trim();
    const named = speakerInfo?.displayName || String(speaker);
    return text === '' ? [] : [{ text, speaker: named, ...spanOf(elements) }];
  });
}

/** What a run heard, as what was said: of a cassette, to see what changed since it was recorded. */
export function referenceOfRun({ transcript }: Pick<SessionRun, 'transcript'>): Reference {
  return { kind: 'cassette', segments: segmentsOfTranscript(transcript) };
}
