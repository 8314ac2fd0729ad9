import { SPEECH_TO_TEXT_PREFIX, STREAM_TOKENS_PATH } from '../../protocol/interfaceNames.ts';
import { type StreamTokenRequest, StreamTokenRequestSchema, StreamTokenSchema } from '../../protocol/jobs.ts';
import type { Camel } from '../../protocol/wireNames.ts';
import {
  accountOf,
  alignmentArea,
  languageIdArea,
  legacyArea,
  sentimentArea,
  transcriptionArea,
  vocabulariesArea,
} from './areas.ts';
import type {
  AlignmentArea,
  LanguageIdArea,
  LegacyArea,
  SentimentArea,
  TranscriptionArea,
  VocabulariesArea,
} from './areaTypes.ts';
import { type CallOptions, type ClientOptions, clientSettings } from './clientOptions.ts';
import type { AccountBalance, StreamToken } from './jobTypes.ts';
import { checkedFields, jsonBody } from './requestBody.ts';
import { serviceCalls } from './serviceCalls.ts';

/** Options of a token for streams: seconds until it expires (default 60), its streams at the same time, and their metadata. */
export interface StreamTokenOptions extends CallOptions, Camel<StreamTokenRequest> {}

/** A client of a service over HTTP, by area. It does not need to be closed. */
export interface Client {
  readonly transcription: TranscriptionArea;
  readonly legacy: LegacyArea;
  readonly languageId: LanguageIdArea;
  readonly alignment: AlignmentArea;
  readonly sentiment: SentimentArea;
  readonly vocabularies: VocabulariesArea;
  /** Returns the account of the token. */
  account(options?: CallOptions): Promise<AccountBalance>;
  /**
   * Creates a token that opens streams only, for a page: see `rxscribe/browser`.
   *
   * @throws TooManyRequestsError when the account has 10,000 of them
   * @example
   * import { createClient } from 'rxscribe';
   *
   * const client = createClient({ url: 'http://127.0.0.1:8080', token: 'secret' });
   * const { token } = await client.createStreamToken({ expiresInSeconds: 60, maxSessions: 1 });
   */
  createStreamToken(options?: StreamTokenOptions): Promise<StreamToken>;
}

/**
 * Creates a client of a service over HTTP.
 *
 * Its calls throw a {@link ServiceError} for failures of the service or the network, a JobFailedError for failed jobs, and the
 * reason of an aborted signal. Each request is sent once; `retry` of an error states whether the same request may succeed later.
 *
 * @throws InvalidArgumentError for an invalid address, brand, timeout or size
 * @example
 * import { createClient } from 'rxscribe';
 *
 * const client = createClient({ url: 'http://127.0.0.1:8080', token: 'secret' });
 * const { id } = await client.transcription.submit({ path: 'talk.wav' });
 * await client.transcription.waitFor(id);
 * console.log(await client.transcription.transcriptText(id));
 */
export function createClient(options: ClientOptions): Client {
  const calls = serviceCalls(clientSettings(options));
  return {
    transcription: transcriptionArea(calls),
    legacy: legacyArea(calls),
    languageId: languageIdArea(calls),
    alignment: alignmentArea(calls),
    sentiment: sentimentArea(calls),
    vocabularies: vocabulariesArea(calls),
    createStreamToken: ({ signal, ...wanted } = {}) => {
      const call = { action: 'create stream token', method: 'POST', path: STREAM_TOKENS_PATH } as const;
      const body = jsonBody(checkedFields(StreamTokenRequestSchema, wanted));
      return calls.value(StreamTokenSchema, { ...call, body, signal });
    },
    account: callOptions => accountOf(calls, SPEECH_TO_TEXT_PREFIX, callOptions),
  };
}
