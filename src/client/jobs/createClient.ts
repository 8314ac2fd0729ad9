import { SPEECH_TO_TEXT_PREFIX } from '../../protocol/interfaceNames.ts';
import { AccountSchema } from '../../protocol/jobs.ts';
import { type AlignmentArea, alignmentArea } from './alignmentArea.ts';
import { type CallOptions, type ClientOptions, clientSettings } from './clientOptions.ts';
import type { AccountBalance } from './jobTypes.ts';
import { type LanguageIdArea, languageIdArea } from './languageIdArea.ts';
import { type LegacyArea, legacyArea } from './legacyArea.ts';
import { type SentimentArea, sentimentArea } from './sentimentArea.ts';
import { serviceCalls } from './serviceCalls.ts';
import { type TranscriptionArea, transcriptionArea } from './transcriptionArea.ts';
import { type VocabulariesArea, vocabulariesArea } from './vocabulariesArea.ts';

/** A service over HTTP, area by area. It holds nothing that would have to be closed. */
export interface Client {
  readonly transcription: TranscriptionArea;
  readonly legacy: LegacyArea;
  readonly languageId: LanguageIdArea;
  readonly alignment: AlignmentArea;
  readonly sentiment: SentimentArea;
  readonly vocabularies: VocabulariesArea;
  /** The account that the token belongs to. */
  account(options?: CallOptions): Promise<AccountBalance>;
}

/**
 * Speaks to a service over HTTP.
 *
 * What it throws are {@link ServiceError} and its classes for what the service and the network do, JobFailedError for
 * jobs, and the reason of the signal. Requests are sent once: `retry` of an error says whether the same may be tried
 * again.
 *
 * @throws InvalidArgumentError for an address or a number that cannot be used
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:8080', token });
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
    account: callOptions =>
      calls.value(AccountSchema, {
        ...callOptions,
        action: 'get account',
        method: 'GET',
        path: `${SPEECH_TO_TEXT_PREFIX}/account`,
      }),
  };
}
