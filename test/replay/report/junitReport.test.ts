import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FileReport } from '../../../src/replay/measure/fileReport.ts';
import { junitReport } from '../../../src/replay/report/junitReport.ts';
import type { GateCheck } from '../../../src/replay/report/report.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { alignedText, countsOf, fileOf, reportOf } from './exampleReport.ts';

const PARSE = `
import json, sys, xml.etree.ElementTree as tree
def plain(node): return {'tag': node.tag, 'attributes': node.attrib, 'text': node.text or '', 'children': [plain(child) for child in node]}
print(json.dumps(plain(tree.fromstring(sys.stdin.buffer.read()))))`;

interface Node {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Node[];
}

/** Parses a document with Python, whose parser normalises attributes as the standard says. */
function parse(xml: string): Node {
  return JSON.parse(execFileSync('python3', ['-c', PARSE], { input: xml, encoding: 'utf8' }));
}

const casesOf = (root: Node) => root.children[0]!.children.filter(({ tag }) => tag === 'testcase');
const childOf = (node: Node, tag: string) => node.children.find(child => child.tag === tag);

const words = alignedText('and mister john dashwood had leisure', { mister: 'missed', had: null }, 3);
const tooHigh: GateCheck = {
  file: 'one',
  kind: 'threshold',
  measure: 'wer',
  passed: false,
  message: 'wer 0.33 is above 0.30',
  value: 0.33,
  limit: 0.3,
};

/** Attributes and children of each written element by `junit-10.xsd` of Jenkins' xUnit plugin. */
const SCHEMA: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  testsuites: [['name', 'time', 'tests', 'failures', 'errors'], ['testsuite']],
  testsuite: [
    ['name', 'time', 'tests', 'failures', 'errors', 'skipped', 'timestamp'],
    ['properties', 'testcase'],
  ],
  properties: [[], ['property']],
  property: [['name', 'value'], []],
  testcase: [
    ['name', 'time', 'classname'],
    ['error', 'failure', 'system-out'],
  ],
  failure: [['type', 'message'], []],
  error: [['type', 'message'], []],
  'system-out': [[], []],
};

/** Attributes that the schema requires. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  testsuite: ['name', 'tests', 'failures', 'errors'],
  property: ['name', 'value'],
  testcase: ['name'],
};

test('a thousand failed files take little time', () => {
  const files = Array.from({ length: 1000 }, (_, index) => fileOf(`file ${index}`, words));
  const checks = files.map(({ name }) => ({ ...tooHigh, file: name }));
  const report = reportOf(files, { gate: { passed: false, checks } });
  let reads = 0;
  const get = (file: FileReport, key: keyof FileReport) => {
    if (key === 'name') reads++;
    return file[key];
  };
  const counted = files.map(file => new Proxy(file, { get } as ProxyHandler<FileReport>));
  expect(junitReport({ ...report, files: counted })).toContain('failures="1000"');
  expect(reads).toBeLessThan(10 * files.length);
});

describe('JUnit XML', { tags: 'tools' }, () => {
  beforeEach(context => needsProgram(context, 'python3'));

  test('a run that fails a check is a failure with its message and the differences', () => {
    const report = reportOf([fileOf('one', words), fileOf('two', [])], {
      gate: { passed: false, checks: [tooHigh] },
    });
    const root = parse(junitReport(report));
    const [one, two] = casesOf(root);
    const totals = { name: 'samples', tests: '2', failures: '1', errors: '0', time: '45' };
    expect(root.attributes).toMatchObject(totals);
    expect(root.children[0]!.attributes).toMatchObject({ tests: '2', timestamp: '2026-11-21T12:00:00' });
    expect(childOf(one!, 'failure')!.attributes.message).toBe('wer 0.33 is above 0.30');
    expect(childOf(one!, 'failure')!.text.split('\n')).toEqual([
      'wer 0.33 is above 0.30',
      'REF  and MISTER john dashwood HAD leisure',
      'HYP  and MISSED john dashwood *   leisure',
    ]);
    expect(childOf(one!, 'system-out')!.text.split('\n')).toContain('wer: 0.333333');
    const properties = childOf(root.children[0]!, 'properties')!.children.map(({ attributes }) => attributes);
    expect(properties).toContainEqual({ name: 'wer', value: '0.333333' });
    expect(two!.children.map(({ tag }) => tag)).toEqual(['system-out']);
  });

  test('every measure is listed, with a note on rates of agreement', () => {
    const keywords = { recall: 0.5, keywords: [{ keyword: 'dashwood', said: 2, heard: 1 }] };
    const speakers = [{ speaker: 'Ann', wer: 0.2, words: countsOf(words) }];
    const firstPartial = { p50: 0.1, p95: 0.2, p99: 0.3, max: 0.4, count: 5, latest: [] };
    const delay = { firstPartial, word: null, final: null };
    const file = fileOf('one', words, { keywords, speakers, delay, reference: 'recording' });
    const [run] = casesOf(parse(junitReport(reportOf([file]))));
    const output = childOf(run!, 'system-out')!.text.split('\n');
    const known = ['upsr: 0.2', 'delay.firstPartial.p99: 0.3', 'keywords.recall: 0.5'];
    const note = expect.stringMatching(/^wer and cer: compared with the recorded transcript/);
    expect(output).toEqual(expect.arrayContaining([...known, note]));
  });

  test('a stream that failed is an error, and mismatches are output', () => {
    const mismatches = ['wanted a pause', 'found none'];
    const file = fileOf('one', [], { failure: 'connection lost', mismatches });
    const root = parse(junitReport(reportOf([file])));
    const [run] = casesOf(root);
    expect(root.attributes).toMatchObject({ failures: '0', errors: '1' });
    expect(childOf(run!, 'error')!.attributes.message).toBe('connection lost');
    expect(childOf(run!, 'system-out')!.text).toMatch(/\nmismatch: wanted a pause\nmismatch: found none$/);
  });

  test('checks of all files, and of files that were not streamed, are cases of their own', () => {
    const ofAll: GateCheck = { ...tooHigh, file: undefined, passed: true };
    const gone: GateCheck = { ...tooHigh, file: 'gone', baseline: 0.2 };
    const gate = { passed: false, checks: [ofAll, gone, tooHigh] };
    const root = parse(junitReport(reportOf([fileOf('one', words)], { gate })));
    const failed = casesOf(root).map(node => [node.attributes.name, childOf(node, 'failure') !== undefined]);
    expect(failed).toEqual([
      ['one', true],
      ['all files: wer against its limit', false],
      ['gone: wer against the baseline', true],
    ]);
  });

  test('texts survive a parser, except for characters that XML forbids', () => {
    const hostile = `</failure>&lt; "quoted" 'and' <b>\ttab\nline\rreturn ]]> ${'\u{1F600}'}`;
    const forbidden = '\u0000\u0008\u000B\uFFFE\uD800';
    const file = fileOf(hostile, [], { failure: `${hostile}${forbidden}` });
    const [run] = casesOf(parse(junitReport(reportOf([file]))));
    expect(run!.attributes.name).toBe(hostile);
    const { attributes, text } = childOf(run!, 'error')!;
    const expected = `${hostile}${'\uFFFD'.repeat(forbidden.length)}`;
    expect([attributes.message, text]).toEqual([expected, expected]);
  });

  test('elements have no attribute or child that strict readers refuse', () => {
    const files = [fileOf('one', words), fileOf('two', [], { failure: 'lost', durationSeconds: 1e-9 })];
    const root = parse(junitReport(reportOf(files, { gate: { passed: false, checks: [tooHigh] } })));
    const all: Node[] = [root];
    for (const node of all) all.push(...node.children);
    expect(new Set(all.map(({ tag }) => tag))).toEqual(new Set(Object.keys(SCHEMA)));
    for (const { tag, attributes, children } of all) {
      const [names, tags] = SCHEMA[tag]!;
      expect(names, tag).toEqual(expect.arrayContaining(Object.keys(attributes)));
      expect(tags, tag).toEqual(expect.arrayContaining(children.map(child => child.tag)));
      expect(Object.keys(attributes), tag).toEqual(expect.arrayContaining([...(REQUIRED[tag] ?? [])]));
      expect(attributes.time ?? '0').toMatch(/^\d+(\.\d*)?$/);
    }
  });
});
