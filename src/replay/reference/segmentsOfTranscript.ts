import { spanOf, type Transcript, textOf } from '../../transcript/model/model.ts';
import type { ReferenceSegment } from './reference.ts';

/** What each speaker of a transcript said: a name where one is known, else the number. */
export function segmentsOfTranscript({ monologues }: Transcript): readonly ReferenceSegment[] {
  return monologues.flatMap(({ speaker, speakerInfo, elements }) => {
    const text = textOf(elements).trim();
    const named = speakerInfo?.displayName || String(speaker);
    return text === '' ? [] : [{ text, speaker: named, ...spanOf(elements) }];
  });
}
