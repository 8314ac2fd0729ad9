import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import { defaultLanguage } from '../../engines/foundLanguage.ts';
import type { RecognizerCapabilities } from '../../engines/recognizer.ts';
import { CLOSE, type CloseRule } from '../../protocol/closeCodes.ts';
import { ACCESS_TOKEN_PARAMETER } from '../../protocol/interfaceNames.ts';
import { languageFault, languageOf, MORE_LANGUAGES } from '../../protocol/language.ts';
import { MAX_IGNORED_OPTION_LENGTH, MAX_IGNORED_OPTIONS } from '../../protocol/limits.ts';
import { ignoredParameters, parseStreamQuery, type StreamQuery } from '../../protocol/streamQuery.ts';
import { StreamQueryError } from '../../protocol/streamQueryError.ts';
import type { CreditMeter } from '../accounts/accounts.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { StreamCaller } from '../streamTokens/streamTokens.ts';
import { vocabularyPhrases } from '../vocabularies.ts';
import { ENDINGS, type EndingDecision } from './ending.ts';
import type { StreamingOptions } from './streamingOptions.ts';

/** An admitted client. */
export interface Admission extends Pick<StreamCaller, 'isTokenValid'> {
  readonly accountId: string;
  readonly query: StreamQuery;
  /** Names of the parameters without effect, limited to the number that is logged. */
  readonly ignored: readonly string[];
  /** Phrases to favour: those of the query, or of its vocabulary. */
  readonly phrases: readonly string[];
  readonly meter: CreditMeter;
  /** Releases the session's place within the limit of the account. Never rejects. Call once. */
  release(): Promise<void>;
}

/** The close of a client that is not admitted. */
export interface Refusal {
  readonly rule: CloseRule;
  readonly why?: string;
}

/** A client that requests a session. */
export interface Applicant {
  readonly parameters: URLSearchParams;
  /** Remote address; absent when the client has already disconnected. */
  readonly address?: string;
}

/** Admits or refuses a client. Aborting the signal ends the wait for the accounts. */
export type Admit = (applicant: Applicant, signal: AbortSignal) => Promise<Admission | Refusal>;

/** Creates the admission of streaming clients: checks token, query, vocabulary, credit and limit, in this order. */
export function createAdmission(options: StreamingOptions): Admit {
  const { accounts, streamTokens, recognizer, throttle, streamSlots, clock } = options;
  return async ({ parameters, address }, signal) => {
    const timeout = { clock, timeoutMs: options.limits.stallMs, signal };
    const bearer = parameters.get(ACCESS_TOKEN_PARAMETER) ?? '';
    const authentication = await throttle.authenticate(address, bearer, token =>
      withTimeout(streamTokens.authenticate(token), timeout),
    );
    if (authentication.kind === 'throttled') return { rule: CLOSE.tooManyRequests };
    if (authentication.kind === 'unauthorized') return { rule: CLOSE.unauthorized };
    const { accountId, limits, sessions, metadata, isTokenValid } = authentication.caller;
    const given = readQuery(parameters, recognizer.capabilities);
    if ('rule' in given) return given;
    const query = { ...given, metadata: given.metadata ?? metadata };
    const phrases = await withTimeout(phrasesFor(query, accountId, options.jobs), timeout);
    if (!phrases) return { rule: CLOSE.badRequest, why: 'custom_vocabulary_id: unknown or not complete' };
    const meter = accounts.openMeter(accountId);
    // The known credit may be outdated; refuse only by the current one.
    if (!meter.hasCredit) await withTimeout(accounts.refreshCredit(accountId), timeout);
    if (!meter.hasCredit) return { rule: CLOSE.outOfCredit };
    const limit = limits.streams ?? options.accountLimits.streams;
    const taking = streamSlots.take(accountId, limit, sessions);
    const release = await withTimeout(taking, timeout).catch(error => {
      // If the slot is taken after the timeout, its stream no longer exists.
      void taking.then(giveBack => giveBack?.()).catch(() => {});
      throw error;
    });
    if (!release) return { rule: CLOSE.tooManyRequests };
    const ignored = ignoredParameters(parameters)
      .slice(0, MAX_IGNORED_OPTIONS)
      .map(name => name.slice(0, MAX_IGNORED_OPTION_LENGTH));
    return { accountId, query, ignored, phrases, meter, isTokenValid, release };
  };
}

function readQuery(parameters: URLSearchParams, capabilities: RecognizerCapabilities): StreamQuery | Refusal {
  try {
    const given = parseStreamQuery(parameters);
    const language = given.language ? languageOf(given.language) : defaultLanguage(capabilities);
    const query = { ...given, language };
    const faults = unsupportedParameters(query, capabilities);
    return faults.length === 0 ? query : { rule: CLOSE.badRequest, why: faults.join('; ') };
  } catch (error) {
    if (error instanceof StreamQueryError) return { rule: CLOSE.badRequest, why: error.faults.join('; ') };
    throw error;
  }
}

/** Returns the faults of parameters that this recogniser does not support. */
function unsupportedParameters(query: StreamQuery, capabilities: RecognizerCapabilities): readonly string[] {
  const faults: string[] = [];
  const { languages, customVocabulary } = capabilities;
  if (query.language !== undefined && !languages.includes(query.language)) {
    faults.push(`language: ${languageFault(query.language, languages, MORE_LANGUAGES)}`);
  }
  if (customVocabulary) return faults;
  const notSupported = 'not supported by this recogniser';
  if (query.customVocabularyId !== undefined) faults.push(`custom_vocabulary_id: ${notSupported}`);
  if (query.customVocabularies !== undefined) faults.push(`custom_vocabularies: ${notSupported}`);
  return faults;
}

/** Resolves with undefined when no complete vocabulary has the id. */
async function phrasesFor(
  { customVocabularyId: id, customVocabularies = [] }: StreamQuery,
  accountId: string,
  jobs: Jobs,
): Promise<readonly string[] | undefined> {
  if (id !== undefined) return vocabularyPhrases(jobs, accountId, id);
  return customVocabularies.flatMap(({ phrases }) => phrases);
}

/** Milliseconds between two checks of the token of a stream. */
export const TOKEN_CHECK_MS = 2500;

/** Ends a stream when its token is revoked, but not when the check fails. Returns a function that stops the checks. */
export function watchToken(
  { isTokenValid }: Admission,
  decision: EndingDecision,
  { clock }: { readonly clock: Clock },
): () => void {
  const check = async () => {
    if (!(await isTokenValid())) decision.decide(ENDINGS.revoked);
  };
  return every(TOKEN_CHECK_MS, check, { clock, onError: () => {} });
}
