import { HUMAN_LIMITS } from '../../protocol/limits.ts';
import type { SpeechToTextSubmission } from '../../protocol/submissions.ts';
import type { Segment } from '../tasks/inputs.ts';
import type { Rule } from './submission.ts';

type SegmentsJson = NonNullable<SpeechToTextSubmission['segments_to_transcribe']>;

/** Segments in seconds, by their start. */
export function segmentsOf(segments: SegmentsJson): readonly Segment[] {
  return segments
    .map(({ start, end }) => ({ start: Number(start), end: Number(end) }))
    .sort((a, b) => a.start - b.start);
}

/** Each long enough for a person to understand what is said, none over another. */
export const segmentsRule: Rule<Pick<SpeechToTextSubmission, 'segments_to_transcribe' | 'transcriber'>> = {
  fields: ['segments_to_transcribe', 'transcriber'],
  *check({ segments_to_transcribe: segments = [], transcriber }) {
    if (transcriber !== 'human') return;
    for (const [index, segment] of segments.entries()) {
      const [{ start, end }] = segmentsOf([segment]) as [Segment];
      const name = `segments_to_transcribe[${index}]`;
      if (start >= end) yield [name, 'must end after its start'];
      // Decimal text does not become exact numbers: 60.1 less 0.1 is not quite 60.
      else if (end - start < HUMAN_LIMITS.segmentSeconds - 1e-6) {
        yield [name, `must be at least ${HUMAN_LIMITS.segmentSeconds} seconds long`];
      }
    }
    const inOrder = segmentsOf(segments);
    if (inOrder.some(({ start }, index) => index > 0 && start < inOrder[index - 1]!.end)) {
      yield ['segments_to_transcribe', 'must not overlap'];
    }
  },
};
