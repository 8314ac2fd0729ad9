import { worstFiles } from './commonErrors.ts';
import { differenceLines } from './differenceLines.ts';
import { titleOf } from './figures.ts';
import type { FileReport, GateCheck, Measures, Report } from './report.ts';
import { element, textElement } from './xml.ts';

/** Runs whose differences stand in the failure of a check of many. */
const WORST_RUNS = 3;

/**
 * A report as JUnit XML, as GitLab, Jenkins and actions of GitHub read it: one suite, a case for each file and repeat,
 * and one for each check of the gate that is of no single run. A check that failed is a `failure`, a stream that failed
 * an `error`. Measures of all are properties of the suite, those of a case its output: `junit-10.xsd` of Jenkins' xUnit
 * plugin, which this keeps to, has no properties of cases.
 */
export function junitReport(report: Report): string {
  const cases = [...report.files.map(file => fileCase(report, file)), ...sharedCases(report)];
  const attributes = {
    name: report.suite,
    tests: cases.length,
    failures: cases.filter(({ problems }) => problems.some(({ tag }) => tag === 'failure')).length,
    errors: cases.filter(({ problems }) => problems.some(({ tag }) => tag === 'error')).length,
    time: Number(total(report.files.map(({ durationSeconds }) => durationSeconds)).toFixed(3)),
  };
  const timestamp = report.createdAt.replace(/(\.\d+)?Z$/, '');
  const suite = element('testsuite', { ...attributes, skipped: 0, timestamp }, [
    properties({ rules: report.rules.join(' '), alignment: report.alignment, ...figuresOf(report) }),
    ...cases.map(caseXml),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, [suite])}\n`;
}

interface Problem {
  readonly tag: 'failure' | 'error';
  readonly message: string;
  readonly text: string;
}

interface Case {
  readonly classname: string;
  readonly name: string;
  readonly time: number;
  readonly problems: readonly Problem[];
  readonly output: readonly string[];
}

function fileCase(report: Report, file: FileReport): Case {
  const failed = report.gate.checks.filter(check => !check.passed && runOf(check, report) === file);
  return {
    classname: report.suite,
    name: titleOf(file, report.files),
    time: Number(file.durationSeconds.toFixed(3)),
    problems: problemsOf(file, failed),
    output: [
      ...lines({ language: file.language, service: file.service, ...figuresOf(file) }),
      ...file.mismatches.map(mismatch => `mismatch: ${mismatch}`),
    ],
  };
}

/** CI systems show one problem a case: an error says more than what it leads to. */
function problemsOf(file: FileReport, failed: readonly GateCheck[]): readonly Problem[] {
  if (file.failure !== undefined) return [{ tag: 'error', message: file.failure, text: file.failure }];
  if (failed.length === 0) return [];
  const messages = failed.map(({ message }) => message);
  const text = [...messages, ...differenceLines(file.alignment)].join('\n');
  return [{ tag: 'failure', message: messages.join('; '), text }];
}

/** Checks of all files, or of all repeats of one. */
function sharedCases(report: Report): readonly Case[] {
  return report.gate.checks
    .filter(check => runOf(check, report) === undefined)
    .map(check => ({
      classname: `${report.suite}.gate`,
      name: `${check.file ?? 'all files'}: ${check.measure} ${check.baseline === undefined ? 'against its limit' : 'against the baseline'}`,
      time: 0,
      problems: check.passed
        ? []
        : [{ tag: 'failure', message: check.message, text: sharedText(check, report) }],
      output: lines(sharedFigures(check)),
    }));
}

function sharedFigures({ value, limit, baseline }: GateCheck): Readonly<Record<string, string | number>> {
  return { value: value ?? 'null', limit, ...(baseline === undefined ? {} : { baseline }) };
}

/** Of errors of words, also where most of them are. */
function sharedText({ file, measure, message }: GateCheck, { files }: Report): string {
  if (!/^(wer|cer|words\.|characters\.)/.test(measure)) return message;
  const runs = files.filter(({ name, failure }) => failure === undefined && (file ?? name) === name);
  const worst = worstFiles(runs, WORST_RUNS);
  return [message, ...worst.flatMap(run => [titleOf(run, files), ...differenceLines(run.alignment, 5)])].join(
    '\n',
  );
}

/** The one run that a check is of. */
function runOf({ file, repeat }: GateCheck, { files }: Report): FileReport | undefined {
  const runs = files.filter(run => run.name === file && (repeat === undefined || run.repeat === repeat));
  return runs.length === 1 ? runs[0] : undefined;
}

function figuresOf({ wer, cer, words, delay, upwr, upsr, coverage, violations, reconnects }: Measures) {
  const figures = {
    wer,
    cer,
    substitutions: words?.substitutions,
    deletions: words?.deletions,
    insertions: words?.insertions,
    'delay.firstPartial.p50': delay?.firstPartial?.p50,
    'delay.word.p50': delay?.word?.p50,
    'delay.word.p95': delay?.word?.p95,
    'delay.final.p50': delay?.final?.p50,
    'delay.final.p95': delay?.final?.p95,
    upwr,
    upsr,
    coverage,
    violations,
    reconnects,
  };
  const known = Object.entries(figures).filter(
    (entry): entry is [string, number] => entry[1] !== null && entry[1] !== undefined,
  );
  return Object.fromEntries(known.map(([name, value]) => [name, Number(value.toFixed(6))]));
}

function caseXml({ classname, name, time, problems, output }: Case): string {
  return element('testcase', { classname, name, time }, [
    ...problems.map(({ tag, message, text }) => textElement(tag, { message, type: tag }, text)),
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

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
