import type { Job } from '../../client/jobs/jobTypes.ts';
import type { TranscriptionOptions } from '../../client/jobs/transcriptionArea.ts';
import { transcriptAs, writeTranscriptFiles } from '../files/transcriptFile.ts';
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from '../files/transcriptFormats.ts';
import { readVocabularyFile } from '../files/vocabularyFile.ts';
import { mediaName, mediaSource } from '../flags/mediaArgument.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import type { KeepingFlags, SpeechFlags } from '../flags/speechOptions.ts';
import { type Submission, submitAndWait, submitJob } from '../service/submission.ts';
import { useService } from '../service/useService.ts';

/** The options of `rxscribe transcribe`. */
export interface TranscribeFlags extends ServiceFlags, SpeechFlags, KeepingFlags {
  readonly format: TranscriptFormat;
  readonly out: readonly string[];
  readonly wait: boolean;
  readonly speakerChannelsCount?: number;
  readonly speakersCount?: number;
  readonly skipDiarization?: boolean;
  readonly skipPunctuation?: boolean;
  readonly vocabulary?: string;
  readonly notify?: string;
  readonly human?: boolean;
  readonly verbatim?: boolean;
  readonly rush?: boolean;
  readonly segment?: readonly { readonly start: string; readonly end: string }[];
  readonly speakerName?: readonly { readonly displayName: string }[];
}

/** Transcribes a recording, and prints and writes its transcript; or prints the id of the job. */
export async function runTranscribe(media: string, flags: TranscribeFlags): Promise<void> {
  const { format, out, wait, vocabulary, skipDiarization } = flags;
  const options = optionsOf(flags);
  const customVocabularies = vocabulary === undefined ? undefined : await readVocabularyFile(vocabulary);
  await useService(flags, async use => {
    const { transcription } = use.client;
    const submission: Submission<Job> = {
      what: `transcribing ${mediaName(media)}`,
      media,
      submit: uploading =>
        transcription.submit(mediaSource(media), { ...options, ...uploading, customVocabularies }),
    };
    if (!wait) {
      const { id } = await submitJob(use, submission);
      use.print(`${id}\n`);
      return;
    }
    const { id } = await submitAndWait(use, { ...submission, waitFor: transcription.waitFor });
    use.progress.show('fetching the transcript');
    const transcript = await transcription.transcript(id);
    // First what cannot fail: on a full disk the work is not lost.
    use.print(transcriptAs(TRANSCRIPT_FORMATS[format], transcript, { skipDiarization }));
    await writeTranscriptFiles(out, transcript, { skipDiarization });
  });
}

/** Returns what the service is asked for; the other flags are for this side. */
function optionsOf({ notify, human, segment, speakerName, ...flags }: TranscribeFlags): TranscriptionOptions {
  return {
    metadata: flags.metadata,
    deleteAfterSeconds: flags.deleteAfterSeconds,
    language: flags.language,
    filterProfanity: flags.filterProfanity,
    removeDisfluencies: flags.removeDisfluencies,
    skipPostprocessing: flags.skipPostprocessing,
    customVocabularyId: flags.customVocabularyId,
    speakerChannelsCount: flags.speakerChannelsCount,
    speakersCount: flags.speakersCount,
    skipDiarization: flags.skipDiarization,
    skipPunctuation: flags.skipPunctuation,
    verbatim: flags.verbatim,
    rush: flags.rush,
    segmentsToTranscribe: segment,
    speakerNames: speakerName,
    transcriber: human ? 'human' : undefined,
    notification: notify === undefined ? undefined : { url: notify },
  };
}
