import type { SessionRun } from '../session/sessionRun.ts';
import type { Reference } from './reference.ts';
import { segmentsOfTranscript } from './segmentsOfTranscript.ts';

/** What a run heard, as what was said: of a cassette, to see what changed since it was recorded. */
export function referenceOfRun({ transcript }: Pick<SessionRun, 'transcript'>): Reference {
  return { kind: 'cassette', segments: segmentsOfTranscript(transcript) };
}
