import type { FileReport } from '../measure/fileReport.ts';
import { MEASURE_PATHS, measuresAt } from '../measure/measurePaths.ts';
import type { Measures } from '../measure/measures.ts';
import { worstFiles } from './commonErrors.ts';
import { differenceLines } from './differenceLines.ts';
import { AGREEMENT, isAgreement, subjectOf, testedText } from './figures.ts';
import type { GateCheck, Report } from './report.ts';

/** Number of runs whose differences are in a failure of many files. */
const WORST_RUNS = 3;

/**
 * Formats a report as JUnit XML for GitLab, Jenkins and GitHub actions: one suite, a case for each file, and
 * a case for each check of the gate that concerns all files. A failed check is a `failure`, a failed stream an
 * `error`. Totals are properties of the suite, measures of a case are its output, because `junit-10.xsd` of Jenkins'
 * xUnit plugin, to which this conforms, has no properties of cases.
 */
export function junitReport(report: Report): string {
  const names = new Set(report.files.map(({ name }) => name));
  // A case that is only in the baseline has no file.
  const checks = Map.groupBy(report.gate.checks, ({ file }) => (file && names.has(file) ? file : undefined));
  const cases = [
    ...report.files.map(file => ({ name: file.name, ...fileCase(report, file, checks.get(file.name)) })),
    ...(checks.get(undefined) ?? []).map(check => sharedCase(report, check)),
  ];
  const count = (tag: Problem['tag']) => cases.filter(({ problem }) => problem?.tag === tag).length;
  const attributes = {
    name: report.suite,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    time: Number(report.files.reduce((sum, file) => sum + file.durationSeconds, 0).toFixed(3)),
  };
  const timestamp = report.createdAt.replace(/(\.\d+)?Z$/, '');
  const facts = properties({
    rules: report.rules.join(' '),
    tested: testedText(report.files),
    ...figuresOf(report),
    ...agreementOf(report),
  });
  const all = { ...attributes, skipped: count('skipped'), timestamp };
  const suite = element('testsuite', all, [facts, ...cases.map(caseXml)]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, [suite])}\n`;
}

interface Problem {
  readonly tag: 'failure' | 'error' | 'skipped';
  readonly message: string;
  readonly text: string;
}

interface Case {
  readonly classname: string;
  readonly name: string;
  readonly time: number;
  /** CI systems show one problem per case. */
  readonly problem?: Problem;
  readonly output: readonly string[];
}

function fileCase({ suite }: Report, file: FileReport, checks?: readonly GateCheck[]): Omit<Case, 'name'> {
  const { language, service } = file;
  return {
    classname: suite,
    time: Number(file.durationSeconds.toFixed(3)),
    problem: problemOf(file, checks),
    output: [
      ...lines({ language, service, ...figuresOf(file), ...agreementOf(file) }),
      ...file.mismatches.map(mismatch => `mismatch: ${mismatch}`),
    ],
  };
}

/** Returns the problem of a case. An error says more than its consequences. */
function problemOf(file: FileReport, checks: readonly GateCheck[] = []): Problem | undefined {
  const failed = checks.filter(({ passed }) => !passed);
  if (file.isExpected) return undefined;
  if (file.failure !== undefined) return { tag: 'error', message: file.failure, text: file.failure };
  if (failed.length === 0) return undefined;
  const messages = failed.map(({ message }) => message);
  const text = [...messages, ...differenceLines(file.alignment)].join('\n');
  const tag = failed.every(({ isInvalid }) => isInvalid) ? 'skipped' : 'failure';
  return { tag, message: messages.join('; '), text };
}

function sharedCase(report: Report, check: GateCheck): Case {
  const { measure, message, value, limit, baseline } = check;
  const tag = check.isInvalid ? 'skipped' : 'failure';
  return {
    classname: `${report.suite}.gate`,
    name: `${subjectOf(check)}: ${measure} against ${baseline === undefined ? 'its limit' : 'the baseline'}`,
    time: 0,
    problem: check.passed ? undefined : { tag, message, text: sharedText(report.files, check) },
    output: lines({ value: value ?? 'null', limit, ...(baseline === undefined ? {} : { baseline }) }),
  };
}

/** Returns the text of a failure; for word errors with the runs that have most of them. */
function sharedText(files: readonly FileReport[], { file, measure, message }: GateCheck): string {
  if (!/^(wer|cer|words\.|characters\.)/.test(measure)) return message;
  const runs = files.filter(({ name, failure }) => failure === undefined && (file ?? name) === name);
  const worst = worstFiles(runs, WORST_RUNS);
  return [message, ...worst.flatMap(run => [run.name, ...differenceLines(run.alignment, 5)])].join('\n');
}

/** Returns all measures by path. */
function figuresOf(measures: Measures): Readonly<Record<string, number>> {
  const paths = MEASURE_PATHS.map(({ path }) => path);
  return measuresAt(measures, paths);
}

/** Returns a note when the rates of words are rates of agreement. */
function agreementOf(compared: Parameters<typeof isAgreement>[0]): Readonly<Record<string, string>> {
  return isAgreement(compared) ? { 'wer and cer': AGREEMENT } : {};
}

function caseXml({ classname, name, time, problem, output }: Case): string {
  return element('testcase', { classname, name, time }, [
    ...(problem
      ? [textElement(problem.tag, { message: problem.message, type: problem.tag }, problem.text)]
      : []),
    textElement('system-out', {}, output.join('\n')),
  ]);
}

function lines(values: Readonly<Record<string, string | number>>): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name}: ${value}`);
}

function properties(values: Readonly<Record<string, string | number>>): string {
  return element(
    'properties',
    {},
    Object.entries(values).map(([name, value]) => element('property', { name, value }, [])),
  );
}

type Attributes = Readonly<Record<string, string | number>>;

/** Formats an element with child elements; names are not escaped. */
export function element(tag: string, attributes: Attributes, children: readonly string[] = []): string {
  const start = `<${tag}${attributesXml(attributes)}`;
  return children.length === 0 ? `${start}/>` : `${start}>\n${children.join('\n')}\n</${tag}>`;
}

/** Formats an element with text. */
export function textElement(tag: string, attributes: Attributes, text: string): string {
  return `<${tag}${attributesXml(attributes)}>${escapeText(text)}</${tag}>`;
}

function attributesXml(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('');
}

// XML 1.0 allows tab, line feed, carriage return, and characters from space on without surrogate halves.
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Escapes text. Forbidden characters become U+FFFD; a carriage return would be read as a line feed. */
function escapeText(text: string): string {
  return text
    .replace(FORBIDDEN, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** Escapes an attribute, in which tabs and line feeds would be read as spaces. */
function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
