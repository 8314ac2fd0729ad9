import { textOf } from '../../transcript/model.ts';
import type { Reference } from '../reference/reference.ts';
import type { SessionRun } from '../session/sessionRun.ts';

/** What was heard when a cassette was recorded, to see what changed since. */
export function recordedReference({ transcript }: Pick<SessionRun, 'transcript'>): Reference {
  const segments = transcript.monologues.map(({ elements }) => ({ text: textOf(elements) }));
  return { kind: 'cassette', segments };
}
