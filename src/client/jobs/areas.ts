import { refuseIf } from '../../base/errors.ts';
import {
  ALIGNMENT_PREFIX,
  LANGUAGE_ID_PREFIX,
  SENTIMENT_PREFIX,
  SPEECH_TO_TEXT_PREFIX,
  SRT_MEDIA_TYPE,
  VOCABULARIES_PATH,
  VTT_MEDIA_TYPE,
} from '../../protocol/interfaceNames.ts';
import { AccountSchema, JobSchema, LegacyJobSchema, VocabularySchema } from '../../protocol/jobs.ts';
import { CaptionsQuerySchema, SentimentQuerySchema } from '../../protocol/queries.ts';
import { LanguageIdResultSchema, SentimentResultSchema } from '../../protocol/results.ts';
import {
  AlignmentSubmissionSchema,
  LanguageIdSubmissionSchema,
  LegacySubmissionSchema,
  SentimentSubmissionSchema,
  SpeechToTextSubmissionSchema,
  VocabularySubmissionSchema,
} from '../../protocol/submissions.ts';
import { encodeTranscript } from '../../protocol/transcriptJson.ts';
import { toWire } from '../../protocol/wireNames.ts';
import type {
  AlignmentArea,
  LanguageIdArea,
  LegacyArea,
  NotificationOption,
  SentimentArea,
  TranscriptionArea,
  UploadOptions,
  VocabulariesArea,
} from './areaTypes.ts';
import type { CallOptions } from './clientOptions.ts';
import { jobArea, type SubmitOptions } from './jobArea.ts';
import type { Address, DataSource, FileSource, MediaSource } from './mediaSource.ts';
import { checkedFields } from './requestBody.ts';
import type { ServiceCalls } from './serviceCalls.ts';

/** Creates the area of asynchronous speech-to-text. */
export function transcriptionArea(calls: ServiceCalls): TranscriptionArea {
  const area = jobArea(calls, {
    path: `${SPEECH_TO_TEXT_PREFIX}/jobs`,
    doneStatus: 'transcribed',
    schema: JobSchema,
  });
  return {
    ...area.jobs,
    ...area.deletable,
    ...area.transcripts,
    ...area.textTranscripts,
    async submit(source, options = {}) {
      const { fields, sending } = mediaSubmission(source, options);
      return area.submit(checkedFields(SpeechToTextSubmissionSchema, fields), sending);
    },
    async captions(id, { format = 'srt', speakerChannel, signal } = {}) {
      return calls.text({
        ...area.resource(id, 'captions', { signal }),
        query: toWire(CaptionsQuerySchema, { speakerChannel }),
        accept: format === 'srt' ? SRT_MEDIA_TYPE : VTT_MEDIA_TYPE,
      });
    },
  };
}

/** Creates the area of the older interface of speech-to-text. */
export function legacyArea(calls: ServiceCalls): LegacyArea {
  const prefix = calls.settings.names.legacyPrefix;
  const area = jobArea(calls, {
    path: `${prefix}/jobs`,
    doneStatus: 'transcribed',
    schema: LegacyJobSchema,
  });
  return {
    ...area.jobs,
    ...area.transcripts,
    ...area.textTranscripts,
    async submit(source, { signal, onProgress, notification, ...options } = {}) {
      const fields = {
        ...options,
        mediaUrl: 'url' in source ? String(source.url) : undefined,
        callbackUrl: notification && String(notification.url),
      };
      const sending = { upload: uploadOf(source), onProgress, signal };
      return area.submit(checkedFields(LegacySubmissionSchema, fields), sending);
    },
    account: options => accountOf(calls, prefix, options),
  };
}

/** Creates the area of the identification of spoken languages. */
export function languageIdArea(calls: ServiceCalls): LanguageIdArea {
  const area = jobArea(calls, {
    path: `${LANGUAGE_ID_PREFIX}/jobs`,
    doneStatus: 'completed',
    schema: JobSchema,
  });
  return {
    ...area.jobs,
    ...area.deletable,
    async submit(source, options = {}) {
      const { fields, sending } = mediaSubmission(source, options);
      return area.submit(checkedFields(LanguageIdSubmissionSchema, fields), sending);
    },
    result: async (id, options) =>
      calls.value(LanguageIdResultSchema, { ...area.resource(id, 'result', options), accept: '*/*' }),
  };
}

/** Creates the area of forced alignment. */
export function alignmentArea(calls: ServiceCalls): AlignmentArea {
  const area = jobArea(calls, {
    path: `${ALIGNMENT_PREFIX}/jobs`,
    doneStatus: 'completed',
    schema: JobSchema,
  });
  return {
    ...area.jobs,
    ...area.deletable,
    ...area.transcripts,
    async submit(source, all) {
      refuseIf(all?.text === undefined, "Option 'text' must be set, not undefined.");
      const { text, ...options } = all;
      const { fields, sending } = mediaSubmission(source, options);
      const words =
        typeof text === 'string' ? { transcriptText: text } : { sourceTranscriptConfig: addressField(text) };
      return area.submit(checkedFields(AlignmentSubmissionSchema, { ...fields, ...words }), sending);
    },
  };
}

/** Creates the area of sentiment analysis. */
export function sentimentArea(calls: ServiceCalls): SentimentArea {
  const area = jobArea(calls, {
    path: `${SENTIMENT_PREFIX}/jobs`,
    doneStatus: 'completed',
    schema: JobSchema,
  });
  return {
    ...area.jobs,
    ...area.deletable,
    async submit(text, { signal, notification, ...options } = {}) {
      const fields = { ...options, ...notificationFields({ notification }) };
      const subject = typeof text === 'string' ? { text } : { json: encodeTranscript(text) };
      return area.submit({ ...checkedFields(SentimentSubmissionSchema, fields), ...subject }, { signal });
    },
    async result(id, { filterFor, signal } = {}) {
      return calls.value(SentimentResultSchema, {
        ...area.resource(id, 'result', { signal }),
        query: toWire(SentimentQuerySchema, { filterFor }),
        accept: '*/*',
      });
    },
  };
}

/** Creates the area of custom vocabularies. */
export function vocabulariesArea(calls: ServiceCalls): VocabulariesArea {
  const area = jobArea(calls, {
    path: VOCABULARIES_PATH,
    noun: 'vocabulary',
    doneStatus: 'complete',
    schema: VocabularySchema,
  });
  return {
    ...area.jobs,
    ...area.deletable,
    async submit(vocabularies, { signal, notification, metadata } = {}) {
      const fields = { metadata, ...notificationFields({ notification }), customVocabularies: vocabularies };
      return area.submit(checkedFields(VocabularySubmissionSchema, fields), { signal });
    },
  };
}

/** Returns the account of the token. */
export function accountOf(calls: ServiceCalls, prefix: string, options?: CallOptions) {
  const call = { action: 'get account', method: 'GET', path: `${prefix}/account` } as const;
  return calls.value(AccountSchema, { ...options, ...call });
}

/** Splits a submission of media into its fields and the options of the request. */
function mediaSubmission<Options extends UploadOptions>(
  source: MediaSource,
  { signal, onProgress, notification, ...options }: Options,
) {
  refuseIf(
    typeof source !== 'object' || source === null,
    `The media must be an object such as { path } or { url }, not ${typeof source}.`,
  );
  const sourceConfig = 'url' in source ? addressField(source) : undefined;
  return {
    fields: { ...options, sourceConfig, ...notificationFields({ notification }) },
    sending: { upload: uploadOf(source), onProgress, signal } satisfies SubmitOptions,
  };
}

function notificationFields({ notification }: NotificationOption) {
  return { notificationConfig: notification && addressField(notification) };
}

function addressField({ url, authorization }: Address) {
  return {
    url: String(url),
    authHeaders: authorization === undefined ? undefined : { Authorization: authorization },
  };
}

function uploadOf(source: MediaSource): FileSource | DataSource | undefined {
  return 'url' in source ? undefined : source;
}
