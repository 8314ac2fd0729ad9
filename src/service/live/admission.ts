import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import type { RecognizerCapabilities } from '../../engines/recognizer.ts';
import { CLOSE, type CloseRule } from '../../protocol/closeCodes.ts';
import { languageOf } from '../../protocol/language.ts';
import { parseStreamQuery, type StreamQuery, StreamQueryError } from '../../protocol/streamQuery.ts';
import type { Accounts, CreditMeter } from '../accounts/accounts.ts';
import { queryToken } from '../accounts/tokens.ts';
import type { AccountLimits } from '../limits.ts';
import type { AuthenticationThrottle } from '../rateLimits/authenticationThrottle.ts';
import type { PhrasesOf } from '../vocabularies.ts';
import { ENDINGS, type EndingDecision } from './ending.ts';

/** A client that may have a session. */
export interface Admission {
  readonly accountId: string;
  readonly query: StreamQuery;
  /** To favour: those of the query, or of the vocabulary that it names. */
  readonly phrases: readonly string[];
  readonly meter: CreditMeter;
  /** Whether the account still has the token. @throws when that cannot be found out */
  isTokenGood(): Promise<boolean>;
  /** Gives back the place among the account's sessions. Once. */
  release(): void;
}

/** A client that may not, and how that is said. */
export interface Refusal {
  readonly rule: CloseRule;
  readonly why?: string;
}

export interface AdmissionOptions {
  readonly accounts: Accounts;
  readonly phrasesOf: PhrasesOf;
  readonly capabilities: RecognizerCapabilities;
  readonly accountLimits: AccountLimits;
  readonly throttle: AuthenticationThrottle;
  readonly clock: Clock;
  /** For the accounts to say whose a token is, and for a vocabulary to be found. */
  readonly timeoutMs: number;
}

/** A client that asks for a session. */
export interface Applicant {
  readonly parameters: URLSearchParams;
  /** Where it connects from; absent when it is gone already. */
  readonly address?: string;
}

/** Aborting gives up the wait for the accounts. */
export type Admit = (applicant: Applicant, signal: AbortSignal) => Promise<Admission | Refusal>;

/** The gate of streaming: token, query, vocabulary, credit, then places, in this order. */
export function createAdmission(options: AdmissionOptions): Admit {
  const { accounts, capabilities, throttle } = options;
  const sessions = new Map<string, number>();
  const count = (accountId: string, change: number) => {
    const now = (sessions.get(accountId) ?? 0) + change;
    if (now === 0) sessions.delete(accountId);
    else sessions.set(accountId, now);
  };
  return async ({ parameters, address }, signal) => {
    const timeout = { ...options, signal };
    const bearer = queryToken(parameters);
    const reception = await throttle.receive(address, bearer, token =>
      withTimeout(accounts.authenticate(token), timeout),
    );
    if (reception.kind === 'later') return { rule: CLOSE.tooManyRequests };
    if (reception.kind === 'unknown') return { rule: CLOSE.unauthorized };
    const { accountId, limits } = reception.who;
    const query = readQuery(parameters, capabilities);
    if ('rule' in query) return query;
    const phrases = await withTimeout(phrasesFor(query, accountId, options), timeout);
    if (!phrases) return { rule: CLOSE.badRequest, why: 'custom_vocabulary_id: unknown or not complete' };
    const meter = accounts.openMeter(accountId);
    // What is in memory may be old; that there is none left should be true.
    if (!meter.hasCredit) await withTimeout(accounts.refreshCredit(accountId), timeout);
    if (!meter.hasCredit) return { rule: CLOSE.outOfCredit };
    const places = limits.streams ?? options.accountLimits.streams;
    if ((sessions.get(accountId) ?? 0) >= places) return { rule: CLOSE.tooManyRequests };
    count(accountId, 1);
    const isTokenGood = async () => (await accounts.authenticate(bearer!)) !== undefined;
    return { accountId, query, phrases, meter, isTokenGood, release: () => count(accountId, -1) };
  };
}

function readQuery(parameters: URLSearchParams, capabilities: RecognizerCapabilities): StreamQuery | Refusal {
  try {
    const asked = parseStreamQuery(parameters);
    const query = { ...asked, ...(asked.language !== undefined && { language: languageOf(asked.language) }) };
    const faults = unmetWishes(query, capabilities);
    return faults.length === 0 ? query : { rule: CLOSE.badRequest, why: faults.join('; ') };
  } catch (error) {
    if (error instanceof StreamQueryError) return { rule: CLOSE.badRequest, why: error.faults.join('; ') };
    throw error;
  }
}

/** What a query asks for and this recogniser cannot give. */
function unmetWishes(query: StreamQuery, capabilities: RecognizerCapabilities): readonly string[] {
  const faults: string[] = [];
  const { languages, customVocabulary } = capabilities;
  if (query.language !== undefined && !languages.includes(query.language)) {
    faults.push(`language: expected ${languages.join(' or ')}`);
  }
  if (customVocabulary) return faults;
  const notSupported = 'not supported by this recogniser';
  if (query.customVocabularyId !== undefined) faults.push(`custom_vocabulary_id: ${notSupported}`);
  if (query.customVocabularies !== undefined) faults.push(`custom_vocabularies: ${notSupported}`);
  return faults;
}

/** Undefined when there is no vocabulary of that id that is complete. */
async function phrasesFor(
  { customVocabularyId: id, customVocabularies = [] }: StreamQuery,
  accountId: string,
  { phrasesOf }: Pick<AdmissionOptions, 'phrasesOf'>,
): Promise<readonly string[] | undefined> {
  if (id !== undefined) return phrasesOf(accountId, id);
  return customVocabularies.flatMap(({ phrases }) => phrases);
}

/** Between two looks whether the token of a stream is still good. */
export const TOKEN_CHECK_MS = 2500;

/** Ends a stream whose token was revoked; one whose token cannot be looked up goes on. Returns the stop. */
export function watchToken(
  { isTokenGood }: Admission,
  decision: EndingDecision,
  { clock }: { readonly clock: Clock },
): () => void {
  const check = async () => {
    if (!(await isTokenGood())) decision.decide(ENDINGS.revoked);
  };
  return every(TOKEN_CHECK_MS, check, { clock, onError: () => {} });
}
