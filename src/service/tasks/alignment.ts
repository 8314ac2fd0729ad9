import type { AlignedWord } from '../../engines/aligner.ts';
import { encodeTranscript, wireSeconds } from '../../protocol/transcriptJson.ts';
import type { TextElement, Transcript } from '../../transcript/model/model.ts';
import { elementsOfText } from '../../transcript/text/tokens.ts';
import { JobFailedError, type Task, type TaskContext } from '../jobs/task.ts';
import { fetchText } from '../outbound/download.ts';
import { callEngine, type EngineRole, requireEngine, requireLanguage } from './engineCall.ts';
import type { AlignmentInput } from './inputs.ts';
import { fetchForJob, openMedia } from './media.ts';
import type { TaskOptions } from './taskOptions.ts';
import { withWireTimes } from './wireTimes.ts';

const ALIGNER: EngineRole = { role: 'alignment engine', failure: 'internal_processing' };

/** Creates the task of forced alignment: the times of the words of a given text. */
export function alignmentTask(options: TaskOptions): Task {
  return async (job, context) => {
    const input = context.input as AlignmentInput;
    const { signal } = context;
    const { language = 'en' } = job;
    const engine = requireEngine(options.aligner, ALIGNER.role);
    requireLanguage(ALIGNER, engine.languages, language);
    const words = wordsIn(await textOf(input, context, options));
    const media = await openMedia(input, context, options);
    const { sampleRate } = engine;
    const align = () => engine.align(media.audio({ sampleRate }), words, { language, signal });
    const aligned = await callEngine(ALIGNER, align, options);
    const durationSeconds = wireSeconds(await media.seconds());
    const transcript = withWireTimes(transcriptOf(aligned, sampleRate), [{ ts: 0, endTs: durationSeconds }]);
    return {
      durationSeconds,
      findings: media.findings(),
      results: { transcript: JSON.stringify(encodeTranscript(transcript)) },
    };
  };
}

async function textOf(
  { text, textSource }: AlignmentInput,
  context: TaskContext,
  options: TaskOptions,
): Promise<string> {
  if (text !== undefined || !textSource) return text ?? '';
  return fetchForJob('transcript', fetching => fetchText(textSource, fetching), context, options);
}

/** Returns the words of a text without the punctuation around them. */
function wordsIn(text: string): readonly string[] {
  const words = elementsOfText(text).filter(({ type }) => type === 'text');
  if (words.length === 0) throw new JobFailedError('transcription', 'The transcript has no words.');
  return words.map(({ value }) => value);
}

/** Returns the transcript of aligned words. Words that were not found have no times. */
function transcriptOf(words: readonly AlignedWord[], sampleRate: number): Transcript {
  const elements = words.map(
    ({ value, startFrame, endFrame, confidence }): TextElement => ({
      type: 'text',
      value,
      ts: startFrame === undefined ? undefined : startFrame / sampleRate,
      endTs: endFrame === undefined ? undefined : endFrame / sampleRate,
      confidence,
    }),
  );
  if (elements.every(({ ts }) => ts === undefined)) {
    throw new JobFailedError('transcription', 'No word of the transcript was found in the media.');
  }
  return { monologues: [{ speaker: 0, elements }] };
}
