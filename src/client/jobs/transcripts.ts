import { TEXT_MEDIA_TYPE } from '../../protocol/interfaceNames.ts';
import { decodeTranscript, TranscriptSchema } from '../../protocol/transcriptJson.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { CallOptions } from './clientOptions.ts';
import { pathOfJob } from './jobArea.ts';
import type { ServiceCalls } from './serviceCalls.ts';

/** Transcripts of jobs that are done. */
export interface Transcripts {
  /** Resolves with the transcript. @throws InvalidJobStateError unless the job is done; NotFoundError */
  transcript(id: string, options?: CallOptions): Promise<Transcript>;
}

export interface TextTranscripts {
  /** Resolves with the transcript as text, one line per turn with speaker and time. @throws InvalidJobStateError, NotFoundError */
  transcriptText(id: string, options?: CallOptions): Promise<string>;
}

export function transcripts({ json, settings }: ServiceCalls, listPath: string): Transcripts {
  return {
    async transcript(id, options) {
      const wire = await json(TranscriptSchema, {
        ...options,
        action: `get transcript of ${id}`,
        method: 'GET',
        path: pathOfJob(listPath, id, '/transcript'),
        accept: settings.names.transcriptMediaType,
      });
      return decodeTranscript(wire);
    },
  };
}

export function textTranscripts({ text }: ServiceCalls, listPath: string): TextTranscripts {
  return {
    async transcriptText(id, options) {
      return text({
        ...options,
        action: `get transcript of ${id}`,
        method: 'GET',
        path: pathOfJob(listPath, id, '/transcript'),
        accept: TEXT_MEDIA_TYPE,
      });
    },
  };
}
