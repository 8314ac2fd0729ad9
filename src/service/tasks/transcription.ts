import { createPostProcessor } from '../../engines/postprocess.ts';
import type { Recognizer, RecognizerResult } from '../../engines/recognizer.ts';
import { encodeTranscript, wireSeconds } from '../../protocol/transcriptJson.ts';
import type { Transcript, TranscriptElement } from '../../transcript/model.ts';
import { JobFailedError, type Task } from '../jobs/task.ts';
import { mediaAudio } from './mediaAudio.ts';

/** Speech to text. */
export function transcriptionTask(recognizer: Recognizer): Task {
  const { sampleRate } = recognizer.capabilities;
  return async (job, { media, signal }) => {
    if (media === undefined) throw new JobFailedError('download_failure', 'There is no media');
    let durationSeconds = 0;
    const audio = mediaAudio(media, {
      sampleRate,
      signal,
      onSeconds: seconds => {
        durationSeconds = seconds;
      },
    });
    const finals = await recognizer.recognize(audio, { language: job.language, signal });
    const transcript = transcriptOf(finals, sampleRate);
    return {
      durationSeconds: wireSeconds(durationSeconds),
      results: { transcript: JSON.stringify(encodeTranscript(transcript)) },
    };
  };
}

function transcriptOf(finals: readonly RecognizerResult[], sampleRate: number): Transcript {
  const post = createPostProcessor({ sampleRate });
  let state = post.start;
  const elements: TranscriptElement[] = [];
  for (const final of finals) {
    const step = post.final(state, final);
    state = step.state;
    if (elements.length > 0) elements.push({ type: 'punct', value: ' ' });
    elements.push(...step.elements);
  }
  return { monologues: elements.length > 0 ? [{ speaker: 0, elements }] : [] };
}
