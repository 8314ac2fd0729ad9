import { messageOf } from '../../../base/errors.ts';
import { ServiceError } from '../../../client/serviceErrors.ts';
import type { Cassette } from '../../cassette/cassette.ts';
import { readCassette } from '../../cassette/read/readCassette.ts';
import { recordedRun } from '../../cassette/recordedRun.ts';
import { type FileDetails, fileReport, type MeasuredFile } from '../../measure/fileReport.ts';
import { readReference } from '../../reference/readReference.ts';
import type { Reference } from '../../reference/reference.ts';
import { referenceOfRun } from '../../reference/transcriptReference.ts';
import { ruleSetFor, ruleSetOf } from '../../rules/ruleSets.ts';
import type { SessionRun } from '../../session/sessionRun.ts';
import type { Suite, SuiteCase } from '../suite.ts';
import { recordedOptions, type StreamCaseOptions, streamCase } from './streamCase.ts';

/** Language and rules of a case. */
type CaseWords = Pick<FileDetails, 'language' | 'rules'>;

/** Inputs of a case that are read before it is streamed. */
interface CaseInputs extends CaseWords {
  readonly cassette?: Cassette;
  /** Recorded run of the cassette. */
  readonly recorded?: SessionRun;
  readonly reference?: Reference;
}

interface RunCaseOptions extends Omit<StreamCaseOptions, 'cassette'> {
  readonly suite: Suite;
  /** Called with the run, or with the recorded one that it repeats, when it is measured, for other measures. */
  readonly onRun?: (run: SessionRun) => void;
}

/**
 * Streams a case once and resolves with a function that measures it, which takes seconds for an hour of speech. A file
 * that cannot be read, or a stream that fails, gives a report with a failure.
 *
 * @throws the signal's reason
 */
export async function runCase(suiteCase: SuiteCase, options: RunCaseOptions): Promise<() => MeasuredFile> {
  const { suite, service, signal } = options;
  let inputs: CaseInputs = { language: 'en', rules: ruleSetFor('en') };
  let streamed: Awaited<ReturnType<typeof streamCase>>;
  try {
    // Needed for the report of a case that cannot be read.
    inputs = wordsOfCase(suite, suiteCase);
    inputs = await caseInputs(suite, suiteCase, signal);
    streamed = await streamCase(inTime(suiteCase, inputs), { ...options, cassette: inputs.cassette });
  } catch (failure) {
    signal?.throwIfAborted();
    streamed = { run: failedRun(suiteCase, failure), mismatches: [] };
  }
  const { name, keywords, faults } = suiteCase;
  const { language, rules, reference, cassette, recorded } = inputs;
  const damage = (suiteCase.service === 'cassette' && cassette?.damage) || [];
  const details: FileDetails = {
    name,
    language,
    rules,
    keywords,
    mismatches: [...damage, ...streamed.mismatches],
    seed: suite.seed,
    service: suiteCase.service === 'cassette' ? 'cassette' : service!.shownAs,
    reference,
  };
  return () => {
    const { failure, isExpected } = outcomeOf(suiteCase, streamed.run);
    const run = { ...streamed.run, failure };
    // Without faults of the case, the recording has the times at which its words were shown.
    const repeated = suiteCase.service === 'cassette' && faults.length === 0 && recorded;
    options.onRun?.({ ...run, ...repeated, failure });
    const { report, parts } = fileReport(run, details);
    return { report: isExpected ? { ...report, isExpected } : report, parts };
  };
}

async function caseInputs(
  suite: Suite,
  suiteCase: SuiteCase,
  signal: AbortSignal | undefined,
): Promise<CaseInputs> {
  const { input, reference } = suiteCase;
  const cassette = input.kind === 'cassette' ? await readCassette(input.path, { signal }) : undefined;
  const recorded = cassette && recordedRun(cassette);
  const inputs = { ...wordsOfCase(suite, suiteCase, cassette), cassette, recorded };
  if (reference === undefined) return { ...inputs, reference: recorded && referenceOfRun(recorded) };
  return { ...inputs, reference: await readReference(reference, { signal }) };
}

/** @throws InvalidArgumentError for an unknown language or rule set, StreamQueryError for the query of a cassette */
function wordsOfCase({ equivalences }: Suite, suiteCase: SuiteCase, cassette?: Cassette): CaseWords {
  const language = suiteCase.language ?? (cassette && recordedOptions(cassette).language) ?? 'en';
  return { language, rules: ruleSetOf(language, suiteCase.rules, equivalences) };
}

/**
 * Sets speed `max` for a cassette that was not recorded in real time, because the delays of its answers are unknown.
 */
function inTime(suiteCase: SuiteCase, { recorded }: CaseInputs): SuiteCase {
  const isUntimed = suiteCase.service === 'cassette' && recorded?.speed === 'max';
  return isUntimed ? { ...suiteCase, speed: 'max' } : suiteCase;
}

/** Returns the failure of a run: one that was expected, and did not come, is one, too. */
function outcomeOf(
  { expect }: SuiteCase,
  { failure }: SessionRun,
): { failure?: unknown; isExpected?: boolean } {
  if (!expect) return { failure };
  const { closeCode, httpStatus } = failure instanceof ServiceError ? failure : ({} as Partial<ServiceError>);
  const isHttp = 'http' in expect;
  if (isHttp ? expect.http === httpStatus : expect.close === closeCode) return { failure, isExpected: true };
  const wanted = isHttp ? `status ${expect.http}` : `close code ${expect.close}`;
  const found = failure === undefined ? 'the stream ended normally' : messageOf(failure);
  return { failure: new Error(`expected ${wanted}, found: ${found}`) };
}

/** Returns the run of a case that could not be started. */
function failedRun({ speed }: SuiteCase, failure: unknown): SessionRun {
  const nothing = { events: [], statuses: [], audio: [], transcript: { monologues: [] } };
  return { ...nothing, sampleRate: 0, seconds: 0, startTs: 0, durationMs: 0, speed, failure };
}
