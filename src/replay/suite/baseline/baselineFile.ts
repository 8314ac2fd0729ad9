import { readFile } from 'node:fs/promises';
import { Value } from 'typebox/value';
import { RxscribeError, reasonOf, unreadable } from '../../../base/errors.ts';
import { jsonOf } from '../../../transcript/formats/jsonOf.ts';
import { parseReport } from '../../report/jsonReport.ts';
import { writeAtomically } from '../../report/writeAtomically.ts';
import {
  BASELINE_VERSION,
  type Baseline,
  type BaselineFile,
  BaselineSchema,
  baselineOf,
} from './baseline.ts';

/**
 * Reads a baseline that `--update` wrote, or a report.
 *
 * @throws RxscribeError `unreadable-input` for any other file
 *
 * @example
 * const baseline = await readBaseline('baseline.json');
 * console.log(Object.keys(baseline.files));
 */
export async function readBaseline(path: string): Promise<Baseline> {
  const refuse = (fault: string, cause?: unknown) => unreadable(`the baseline '${path}'`, fault, cause);
  const text = await readFile(path, 'utf8').catch(cause => {
    throw refuse(`${reasonOf(cause)}. Run the suite with --update to write one`, cause);
  });
  // The reader of reports reports a text that is not JSON.
  const file = jsonOf(text) as { baseline?: unknown; version?: unknown; files?: unknown } | null | undefined;
  if (file?.baseline === undefined) return baselineOf(parseReport(text, path));
  if (file.version !== BASELINE_VERSION) {
    throw refuse(
      `it has version ${String(file.version)}, not ${BASELINE_VERSION}. Run the suite with --update to write it again`,
    );
  }
  const value = { ...file, files: withSegments(file.files) };
  if (Value.Check(BaselineSchema, value)) return value;
  const [error] = Value.Errors(BaselineSchema, value);
  throw refuse(`${error?.instancePath || 'the file'} ${error?.message ?? 'was changed'}`);
}

/**
 * Writes a baseline atomically.
 *
 * @throws RxscribeError `store` when it cannot be written
 *
 * @example
 * await writeBaseline('baseline.json', baselineOf(report));
 */
export async function writeBaseline(path: string, baseline: Baseline): Promise<void> {
  const files = Object.entries(baseline.files).map(([name, file]) => [name, fileJson(file)]);
  const text = `${JSON.stringify({ ...baseline, files: Object.fromEntries(files) }, null, 2)}\n`;
  await writeAtomically(path, text).catch(cause => {
    throw new RxscribeError('store', `Cannot write the baseline '${path}': ${reasonOf(cause)}.`, { cause });
  });
}

/** Returns the JSON of a file with its segments on one line: `1/31 0/28`. */
function fileJson({ segments, ...file }: BaselineFile): object {
  return { ...file, segments: segments.map(({ errors, tokens }) => `${errors}/${tokens}`).join(' ') };
}

function withSegments(files: unknown): unknown {
  if (typeof files !== 'object' || files === null) return files;
  const entries = Object.entries(files as Readonly<Record<string, { segments?: unknown } | null>>);
  return Object.fromEntries(
    entries.map(([name, file]) => {
      const { segments } = file ?? {};
      if (typeof segments !== 'string') return [name, { ...file, segments: undefined }];
      const pairs = segments === '' ? [] : segments.split(' ').map(pair => pair.split('/').map(Number));
      return [name, { ...file, segments: pairs.map(([errors, tokens]) => ({ errors, tokens })) }];
    }),
  );
}
