import type { Cassette } from '../cassette/cassette.ts';
import { readCassette } from '../cassette/readCassette.ts';
import { recordedRun } from '../cassette/recordedRun.ts';
import { type FileDetails, fileReport, type MeasuredFile } from '../measure/fileReport.ts';
import { readReference } from '../reference/readReference.ts';
import type { Reference } from '../reference/reference.ts';
import { referenceOfRun } from '../reference/referenceOfRun.ts';
import { ruleSetFor, ruleSetNamed } from '../rules/ruleSets.ts';
import type { SessionRun } from '../session/sessionRun.ts';
import { recordedOptions } from './recordedOptions.ts';
import { type StreamCaseOptions, streamCase } from './streamCase.ts';
import type { Suite, SuiteCase } from './suite.ts';

/** What of a case is read before it is streamed. */
interface CaseInputs {
  readonly cassette?: Cassette;
  /** What was heard when that was recorded. */
  readonly recorded?: SessionRun;
  readonly reference?: Reference;
}

/**
 * Streams a case once and measures it. What cannot be read, and a stream that fails, is a report with a failure.
 *
 * @throws the signal's reason
 */
export async function runCase(
  suiteCase: SuiteCase,
  repeat: number,
  { suite, ...options }: StreamCaseOptions & { readonly suite: Suite },
): Promise<MeasuredFile> {
  const { service, signal } = options;
  let inputs: CaseInputs = {};
  let streamed: Awaited<ReturnType<typeof streamCase>>;
  try {
    inputs = await caseInputs(suiteCase, signal);
    streamed = await streamCase(inTime(suiteCase, inputs), { ...options, cassette: inputs.cassette });
  } catch (failure) {
    signal?.throwIfAborted();
    streamed = { run: failedRun(suiteCase, failure), mismatches: [] };
  }
  const { name, keywords, profile } = suiteCase;
  const language = suiteCase.language ?? recordedLanguage(inputs.cassette) ?? 'en';
  const rules = suiteCase.rules === undefined ? ruleSetFor(language) : ruleSetNamed(suiteCase.rules);
  const details: FileDetails = {
    ...{ name, repeat, language, rules, keywords, profile, mismatches: streamed.mismatches },
    ...{ alignment: suite.alignment, seed: suite.seed },
    service: suiteCase.service === 'cassette' ? 'cassette' : service!.shownAs,
    ...(inputs.reference && { reference: inputs.reference }),
  };
  return fileReport(streamed.run, details);
}

async function caseInputs(
  { input, reference }: SuiteCase,
  signal: AbortSignal | undefined,
): Promise<CaseInputs> {
  const cassette = input.kind === 'cassette' ? await readCassette(input.path, { signal }) : undefined;
  const recorded = cassette && recordedRun(cassette);
  if (reference !== undefined) {
    return { cassette, recorded, reference: await readReference(reference, { signal, audio: input.path }) };
  }
  return { cassette, recorded, reference: recorded && referenceOfRun(recorded) };
}

/** Of a cassette that was not recorded at real time nobody knows how long its answers take: it has no delays. */
function inTime(suiteCase: SuiteCase, { recorded }: CaseInputs): SuiteCase {
  const isUntimed = suiteCase.service === 'cassette' && recorded?.speed === 'max';
  return isUntimed ? { ...suiteCase, speed: 'max' } : suiteCase;
}

function recordedLanguage(cassette: Cassette | undefined): string | undefined {
  return cassette && recordedOptions(cassette).language;
}

/** What could not even begin. */
function failedRun({ speed }: SuiteCase, failure: unknown): SessionRun {
  const nothing = { events: [], statuses: [], audio: [], transcript: { monologues: [] } };
  return { ...nothing, sampleRate: 0, seconds: 0, startTs: 0, durationMs: 0, speed, failure };
}
