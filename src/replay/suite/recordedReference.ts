import { textOf } from '../../transcript/model.ts';
import type { Cassette } from '../cassette/cassette.ts';
import { recordedRun } from '../cassette/recordedRun.ts';
import type { Reference } from '../reference/reference.ts';

/** What was heard when a cassette was recorded, to see what changed since. */
export function recordedReference(cassette: Cassette): Reference {
  const { monologues } = recordedRun(cassette).transcript;
  return { kind: 'cassette', segments: monologues.map(({ elements }) => ({ text: textOf(elements) })) };
}
