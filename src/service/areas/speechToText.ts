import { HUMAN_LIMITS } from '../../protocol/limits.ts';
import {
  INEFFECTIVE_OPTIONS,
  type SpeechToTextSubmission,
  SpeechToTextSubmissionSchema,
} from '../../protocol/submissions.ts';
import type { HumanInput, Segment } from '../tasks/inputs.ts';
import { addressOf, mediaRule, notificationRule } from './addressRules.ts';
import { type Area, JOB_AREA } from './area.ts';
import { jobView } from './jobView.ts';
import { languageRule } from './languageRule.ts';
import { captionsResult, transcriptResult } from './results.ts';
import { type Rule, submissionKind } from './submission.ts';
import { transcriptionInput } from './transcriptionInput.ts';
import { humanTermsRule, oneVocabularyRule, phrasesRule } from './vocabularyRules.ts';

/** Refuses segments of machine jobs. Requires segments that are long enough for a person to understand, and do not overlap. */
const segmentsRule: Rule<Pick<SpeechToTextSubmission, 'segments_to_transcribe' | 'transcriber'>> = {
  fields: ['segments_to_transcribe', 'transcriber'],
  *check({ segments_to_transcribe: segments = [], transcriber }) {
    if (transcriber !== 'human') {
      if (segments.length > 0) yield ['segments_to_transcribe', 'must not be given for a machine job'];
      return;
    }
    for (const [index, { start, end }] of segments.map(inSeconds).entries()) {
      const name = `segments_to_transcribe[${index}]`;
      if (start >= end) yield [name, 'must end after its start'];
      // Decimal text does not convert to exact numbers: 60.1 - 0.1 is not quite 60.
      else if (end - start < HUMAN_LIMITS.segmentSeconds - 1e-6) {
        yield [name, `must be at least ${HUMAN_LIMITS.segmentSeconds} seconds long`];
      }
    }
    const inOrder = segmentsOf(segments);
    if (inOrder.some(({ start }, index) => start < (inOrder[index - 1]?.end ?? 0))) {
      yield ['segments_to_transcribe', 'must not overlap'];
    }
  },
};

/** Asynchronous and streaming speech-to-text. */
export const speechToText: Area = {
  ...JOB_AREA,
  name: 'speechToText',
  title: 'Asynchronous speech-to-text',
  types: ['async', 'human_tc', 'stream'],
  doneStatus: 'transcribed',
  submission: submissionKind({
    schema: SpeechToTextSubmissionSchema,
    example: {
      source_config: { url: 'https://media.example.org/interview.mp3' },
      notification_config: { url: 'https://example.org/ended' },
      metadata: 'interview 7',
      remove_disfluencies: true,
      custom_vocabularies: [{ phrases: ['Ada Lovelace', 'analytical engine'] }],
    },
    rules: [
      mediaRule('source_config'),
      notificationRule,
      languageRule,
      segmentsRule,
      phrasesRule,
      oneVocabularyRule,
      humanTermsRule,
    ],
    takesMedia: true,
    namesVocabulary: true,
    ineffective({ transcriber }) {
      const { always, machine } = INEFFECTIVE_OPTIONS;
      return transcriber === 'human' ? always : [...always, ...machine];
    },
    toJob(submission) {
      const isHuman = submission.transcriber === 'human';
      return {
        type: isHuman ? 'human_tc' : 'async',
        language: submission.language,
        isUrgent: isHuman && submission.rush === true,
        isFree: isHuman && submission.test_mode === true,
        input: {
          source: addressOf(submission.source_config, submission.media_url),
          ...transcriptionInput(submission),
          // The number of names is also the number of speakers.
          speakersCount: submission.speakers_count ?? submission.speaker_names?.length,
          human: isHuman ? humanInput(submission) : undefined,
        },
      };
    },
  }),
  view: jobView,
  results: [
    {
      ...transcriptResult({ times: 'hh:mm:ss' }),
      // Every `fetch` sends the wildcard, and a public client relies on it.
      wildcard: ({ transcriptMediaType }) => transcriptMediaType,
    },
    captionsResult,
  ],
};

function humanInput(submission: SpeechToTextSubmission): HumanInput {
  const {
    verbatim = false,
    rush = false,
    test_mode: isTest = false,
    segments_to_transcribe: segments,
    speaker_names: names,
  } = submission;
  return {
    verbatim,
    rush,
    isTest,
    segments: segments && segmentsOf(segments),
    speakerNames: names?.map(name => name.display_name),
  };
}

type SegmentJson = NonNullable<SpeechToTextSubmission['segments_to_transcribe']>[number];

const inSeconds = ({ start, end }: SegmentJson): Segment => ({ start: Number(start), end: Number(end) });

/** Returns the segments in seconds, ordered by their start. */
function segmentsOf(segments: readonly SegmentJson[]): readonly Segment[] {
  return segments.map(inSeconds).sort((a, b) => a.start - b.start);
}
