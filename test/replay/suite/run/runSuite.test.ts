import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { baselineOf } from '../../../../src/replay/suite/baseline/baseline.ts';
import { readSuite } from '../../../../src/replay/suite/read/readSuite.ts';
import {
  type RunSuiteOptions,
  runSuite,
  type SuiteProgress,
} from '../../../../src/replay/suite/run/runSuite.ts';
import type { SuiteFlags } from '../../../../src/replay/suite/suite.ts';
import { createFixedAccount } from '../../../../src/service/accounts/fixedAccount.ts';
import { createScriptedRecognizer, type ScriptedRecognizer } from '../../../helpers/scriptedRecognizer.ts';
import { startTestService, TEST_TOKEN } from '../../../helpers/testService.ts';
import { recordSpeech } from '../../cassette/recordings.ts';
import { scriptedWav } from '../scriptedWav.ts';
import { suiteFolder } from '../suiteFolder.ts';

const MAX: SuiteFlags = { speed: 'max', rules: 'unicode-1' };

/** Starts a service for a suite. */
async function service(recognizer: ScriptedRecognizer = createScriptedRecognizer()) {
  const { url } = await startTestService({ recognizer });
  return { url, token: TEST_TOKEN, shownAs: 'the test service' };
}

async function run(directory: string, flags: SuiteFlags = MAX, options: RunSuiteOptions = {}) {
  const suite = await readSuite([directory], { url: 'http://127.0.0.1', ...flags });
  return runSuite(suite, { ...options, service: options.service ?? (await service()) });
}

describe('a suite of recordings', () => {
  test('is streamed to a service and scored against references, per file and in total', async () => {
    const directory = await suiteFolder({
      'a.wav': scriptedWav([4, 7, 0, 0, 0, 9]),
      'a.txt': 'w4 w7 w9',
      'b.wav': scriptedWav([5, 6, 0, 0, 0]),
      'b.txt': 'w5 w8 w6 w2',
      'c.wav': scriptedWav([3, 3]),
    });
    const report = await run(directory);
    expect(report.files.map(({ name, wer, words }) => [name, wer, words?.tokens])).toEqual([
      ['a', 0, 3],
      ['b', 0.5, 4],
      ['c', null, undefined],
    ]);
    expect(report).toMatchObject({
      wer: 2 / 7,
      words: { tokens: 7, hits: 5, deletions: 2, substitutions: 0, insertions: 0 },
      rules: ['unicode-1'],
      delay: null,
      coverage: 1,
      gate: { passed: true, checks: [] },
      software: { node: process.versions.node },
    });
    expect(report.files[0]).toMatchObject({
      service: 'the test service',
      seconds: 0.6,
      speed: 'max',
      language: 'en',
      mismatches: [],
    });
  });

  test('has delays at a speed', async () => {
    const directory = await suiteFolder({ 'a.wav': scriptedWav([4, 7, 0, 0, 0, 9]) });
    const { delay } = await run(directory, { speed: 4 });
    expect(delay?.word?.count).toBe(3);
    expect(delay?.final?.count).toBe(2);
  });

  test('is streamed with its concurrency', async () => {
    let together = 0;
    const recognizer = createScriptedRecognizer({
      beforeWrite: async () => {
        together = Math.max(together, recognizer.openSessions);
      },
    });
    const files = ['a', 'b', 'c', 'd'].map(name => [`${name}.wav`, scriptedWav(Array(100).fill(5))]);
    const directory = await suiteFolder(Object.fromEntries(files));
    const options = { service: await service(recognizer) };
    const report = await run(directory, { ...MAX, concurrency: 1 }, options);
    expect(together).toBe(1);
    expect(report.files.map(({ name }) => name).join(' ')).toBe('a b c d');
    await run(directory, { ...MAX, concurrency: 3 }, options);
    expect(together).toBeGreaterThan(1);
    expect(together).toBeLessThanOrEqual(3);
  });

  test('has no measures of streams that failed, and makes no baseline', async () => {
    const directory = await suiteFolder({ 'a.wav': 'no audio at all', 'a.txt': 'w4' });
    const report = await run(directory, MAX);
    const nothing = {
      ...{ wer: null, cer: null, upwr: null, upsr: null, coverage: null, coverageSeconds: null },
      ...{ reconnects: null, attempts: null },
    };
    expect(report).toMatchObject(nothing);
    expect(report.files[0]).toMatchObject(nothing);
    expect(() => baselineOf(report)).toThrow(/requires a run without failures, but 'a' failed: /);
  });

  test('does not call a case removed whose stream failed', async () => {
    const files = { 'a.wav': scriptedWav([4]), 'a.txt': 'w4', 'b.wav': scriptedWav([4]), 'b.txt': 'w4' };
    const baseline = baselineOf(await run(await suiteFolder(files), MAX));
    const partly = await suiteFolder({ ...files, 'b.wav': 'no audio at all' });
    const report = await run(partly, MAX, { baseline });
    const failed = report.gate.checks.filter(({ passed }) => !passed);
    expect(failed.map(({ file, kind }) => [file, kind])).toEqual([['b', 'stream']]);
    expect(() => baselineOf(report)).toThrow(/'b' failed: /);
  });

  test('continues when a case fails, and reports the failure', async () => {
    const directory = await suiteFolder({
      'a.wav': 'no audio at all',
      'b.wav': scriptedWav([4]),
      'b.json': '{"not": "a transcript"}',
      'c.wav': scriptedWav([4]),
      'c.txt': 'w4',
      'd.jsonl': '{"type":"cassette","version":99}\n',
    });
    const report = await run(directory, { ...MAX, thresholds: { wer: { max: 0 } } });
    expect(report.files.map(({ name, failure }) => [name, failure !== undefined])).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
      ['d', true],
    ]);
    expect(report.wer).toBe(0);
    expect(report.gate.passed).toBe(false);
    expect(report.gate.checks.map(({ file, measure, passed }) => [file, measure, passed])).toEqual([
      ['a', 'stream', false],
      ['b', 'stream', false],
      ['d', 'stream', false],
      [undefined, 'wer', true],
    ]);
  });

  test('passes the options of the suite to the service', async () => {
    const recognizer = createScriptedRecognizer();
    const directory = await suiteFolder({
      'a.wav': scriptedWav([4]),
      'suite.yaml':
        'defaults: { speed: max, query: { max_segment_duration_seconds: 7, start_ts: 100, custom_vocabularies: [{ phrases: [Norland] }] } }\n' +
        'cases: [{ audio: a.wav, reference: a.txt, rules: unicode-1 }, { name: french, audio: a.wav, language: fr }]\n',
      'a.txt': 'w4',
    });
    const suite = await readSuite([join(directory, 'suite.yaml')]);
    const { files } = await runSuite(suite, { service: await service(recognizer) });
    expect(recognizer.opened[0]).toMatchObject({ phrases: ['Norland'], maxSegmentSeconds: 7 });
    expect(files[0]).toMatchObject({ wer: 0, coverage: 1 });
    expect(files[0]!.alignment[0]!.ts).toBeCloseTo(100, 1);
    expect(files[1]).toMatchObject({ language: 'fr', failure: expect.any(String) });
  });

  test('checks limits of cases, and those of the suite over all cases', async () => {
    const directory = await suiteFolder({
      'a.wav': scriptedWav([4, 7]),
      'b.wav': scriptedWav([4, 7]),
      'a.txt': 'w4 w7',
      'b.txt': 'w4 w8',
      'suite.yaml':
        'thresholds: { wer: 30%, delay.final.p95: 1 }\n' +
        'defaults: { speed: max, rules: unicode-1, thresholds: { wer: 40%, keywords.recall: 0.9 }, keywords: [w4] }\n' +
        'cases: [{ audio: a.wav }, { audio: b.wav, thresholds: { wer: 60%, keywords.recall: { min: 0 } } }]\n',
    });
    const suite = await readSuite([join(directory, 'suite.yaml')]);
    const { gate } = await runSuite(suite, { service: await service() });
    expect(gate.checks.map(({ file, measure, passed, value }) => [file, measure, passed, value])).toEqual([
      [undefined, 'wer', true, 0.25],
      [undefined, 'delay.final.p95', false, null],
      ['a', 'wer', true, 0],
      ['a', 'keywords.recall', true, 1],
      ['b', 'wer', true, 0.5],
      ['b', 'keywords.recall', true, 1],
    ]);
    expect(gate.checks[1]!.message).toContain('speed is max');
  });

  test('is compared with a baseline', async () => {
    const directory = await suiteFolder({ 'a.wav': scriptedWav([4, 7]), 'a.txt': 'w4 w7' });
    const baseline = baselineOf(await run(directory));
    expect((await run(directory, MAX, { baseline })).gate.passed).toBe(true);
    const { gate } = await run(directory, { ...MAX, rules: 'plain-1' }, { baseline });
    expect(gate).toMatchObject({
      passed: false,
      checks: [{ file: 'a', message: expect.stringContaining('rules changed') }, {}],
    });
  });

  test('that is interrupted reports the finished streams, and does not pass', async () => {
    const directory = await suiteFolder({
      'a.wav': scriptedWav([4, 7]),
      'b.wav': scriptedWav(Array(3000).fill(5)),
      'c.wav': scriptedWav([4, 7]),
    });
    const abort = new AbortController();
    const progress: SuiteProgress[] = [];
    const report = await run(
      directory,
      { speed: 1000 },
      {
        signal: abort.signal,
        onProgress(now) {
          progress.push(now);
          if (now.done === 1 && now.seconds > 1) abort.abort(new Error('enough'));
        },
      },
    );
    expect(report.files.map(({ name }) => name)).toEqual(['a']);
    expect(report.gate).toMatchObject({
      passed: false,
      checks: [{ measure: 'streams', message: 'interrupted: 2 of 3 streams did not finish' }],
    });
    expect(progress[0]).toMatchObject({ done: 0, streams: 3, seconds: 0 });
    expect(progress.find(({ file }) => file)).toMatchObject({ done: 1, file: { name: 'a' } });
  });

  test.each([
    ['when all streams are over, where they keep their time', { speed: 100 }, [3, 3, 3]],
    ['at once, where they have none to keep', { speed: 'max' }, [1, 2, 3]],
  ] satisfies [string, SuiteFlags, number[]][])('is measured %s', async (_, flags, wanted) => {
    const files = ['a', 'b', 'c'].map((name, at) => [
      `${name}.wav`,
      scriptedWav(Array(9 + 200 * at).fill(5)),
    ]);
    const done: number[] = [];
    const onProgress = (now: SuiteProgress) => {
      if (now.file) done.push(now.done);
    };
    const directory = await suiteFolder(Object.fromEntries(files));
    const report = await run(directory, { ...flags, concurrency: 2 }, { onProgress });
    expect(report.files.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(done).toEqual(wanted);
  });

  test('names the case that needs a service', async () => {
    const directory = await suiteFolder({ 'talk.wav': scriptedWav([4]) });
    await expect(runSuite(await readSuite([directory]))).rejects.toThrow(/Case 'talk' needs a service\./);
  });

  test('never reveals its token', async () => {
    const directory = await suiteFolder({ 'a.wav': scriptedWav([4]) });
    const { url } = await startTestService({ accounts: createFixedAccount('another-token') });
    const report = await run(directory, MAX, { service: { url, token: 'wrong-token', shownAs: url } });
    expect(report.files[0]!.failure).toBeDefined();
    expect(JSON.stringify(report)).not.toContain('wrong-token');
  });
});

describe('a suite of cassettes', () => {
  test('is answered by the cassettes, in virtual time, with their transcripts as references', async () => {
    const directory = await suiteFolder({});
    const path = join(directory, 'tape.cassette.jsonl');
    await recordSpeech(path, { cassette: { path, speed: 1 } });
    const suite = await readSuite([directory], { rules: 'unicode-1' });
    const report = await runSuite(suite);
    expect(report.gate).toEqual({ passed: true, checks: [] });
    expect(report.files).toMatchObject([
      {
        name: 'tape',
        service: 'cassette',
        wer: 0,
        words: { tokens: 5 },
        coverage: 1,
        reconnects: 0,
        mismatches: [],
      },
    ]);
    // At real-time speed, but on a virtual clock.
    expect(report.files[0]!.durationSeconds).toBeGreaterThan(1.1);
    expect(report.delay?.final?.count).toBe(2);
    const { createdAt, ...rest } = report;
    const { createdAt: _, ...again } = await runSuite(suite);
    expect(again).toEqual(rest);
    expect(Date.parse(createdAt)).toBeGreaterThan(0);
  });

  test('has no delays for a cassette that was recorded at speed max', async () => {
    const directory = await suiteFolder({});
    await recordSpeech(join(directory, 'tape.jsonl'));
    const { files, delay } = await runSuite(await readSuite([directory], { speed: 1 }));
    expect([files[0]!.speed, delay]).toEqual(['max', null]);
  });

  test('survives faults: it reconnects and loses no word', async () => {
    const directory = await suiteFolder({
      'suite.yaml':
        'defaults: { rules: unicode-1, speed: 1 }\n' +
        'cases: [{ cassette: tape.jsonl, faults: [[{ kind: cut, after_seconds: 0.6 }]] }]\n',
    });
    await recordSpeech(join(directory, 'tape.jsonl'));
    const report = await runSuite(await readSuite([join(directory, 'suite.yaml')]));
    expect(report.files[0]).toMatchObject({ wer: 0, reconnects: 1, coverage: 1 });
    expect(report.files[0]!.failure).toBeUndefined();
  });

  test('survives faults before a service, and does not pass when one never took place', async () => {
    const directory = await suiteFolder({});
    await recordSpeech(join(directory, 'tape.jsonl'));
    const cut = { kind: 'cut', afterSeconds: 0.6 } as const;
    const report = await run(directory, { ...MAX, faults: [[cut]] });
    expect(report.files[0]).toMatchObject({ service: 'the test service', wer: 0, reconnects: 1 });
    expect(report.gate.passed).toBe(true);
    const unused = await run(directory, { ...MAX, faults: [[cut], [{ ...cut, afterSeconds: 60 }]] });
    expect(unused.gate.passed).toBe(false);
    expect(JSON.stringify(unused)).toContain("the fault 'cut' never took place");
  });

  test.each([
    ['a cassette', {}, { kind: 'throttle', direction: 'up', bytesPerSecond: 1000 }],
    ['a service', { url: 'http://127.0.0.1' }, { kind: 'drop' }],
  ] as const)('refuses faults that %s does not have', async (_, flags, fault) => {
    const directory = await suiteFolder({});
    await recordSpeech(join(directory, 'tape.jsonl'));
    const suite = await readSuite([directory], { ...flags, faults: [[fault]] });
    await expect(runSuite(suite, { service: await service() })).rejects.toThrow(
      `Fault '${fault.kind}' of connection 1 of case 'tape' cannot be used: the kind must be one of`,
    );
  });

  test('uses the references beside its cassettes', async () => {
    const directory = await suiteFolder({ 'tape.txt': 'w4 w7 w2 w9 w8 w8' });
    await recordSpeech(join(directory, 'tape.jsonl'));
    const { files } = await runSuite(await readSuite([directory], MAX));
    expect(files[0]).toMatchObject({ words: { tokens: 6, substitutions: 1, deletions: 1 }, delay: null });
  });

  test('streams its audio to a given service', async () => {
    const recognizer = createScriptedRecognizer();
    const directory = await suiteFolder({});
    await recordSpeech(join(directory, 'tape.jsonl'), { maxSegmentDurationSeconds: 9 });
    const report = await run(directory, MAX, { service: await service(recognizer) });
    expect(report.files[0]).toMatchObject({ service: 'the test service', wer: 0, words: { tokens: 5 } });
    expect(recognizer.opened[0]!.maxSegmentSeconds).toBe(9);
  });

  test('that does not match the sent audio does not pass, and has the reason', async () => {
    const directory = await suiteFolder({});
    const path = join(directory, 'tape.jsonl');
    await recordSpeech(path);
    const recorded = await readFile(path, 'utf8');
    await writeFile(path, recorded.replace('"query":{', '"query":{"later":"a parameter",'));
    const { files, gate } = await runSuite(await readSuite([directory], MAX));
    expect(files[0]!.mismatches).toEqual([
      expect.stringContaining('later: recorded "a parameter", found none'),
    ]);
    expect(gate).toMatchObject({
      passed: false,
      checks: [{ file: 'tape', measure: 'mismatches', value: 1 }],
    });
  });

  test.each([
    ['of audio that nobody knows', /"content_type":"[^"]*"/, '"content_type":"audio/x-riddle"'],
    ['in a language that there is not', /"language":"en"/, '"language":"!!"'],
  ])('%s is a failure, and the others are reported', async (_, recorded, written) => {
    const directory = await suiteFolder({});
    const [path, well] = ['odd.jsonl', 'well.jsonl'].map(name => join(directory, name));
    await recordSpeech(path!, { language: 'en' });
    await recordSpeech(well!);
    const text = await readFile(path!, 'utf8');
    expect(text).toMatch(recorded);
    await writeFile(path!, text.replace(recorded, written));
    const { files } = await runSuite(await readSuite([directory], { speed: 'max' }));
    expect(files.map(({ name, failure }) => [name, failure !== undefined])).toEqual([
      ['odd', true],
      ['well', false],
    ]);
  });

  test('has no mismatch when the client uses other options on purpose', async () => {
    const directory = await suiteFolder({});
    await recordSpeech(join(directory, 'tape.jsonl'));
    const { files, gate } = await runSuite(await readSuite([directory], { ...MAX, language: 'de' }));
    expect(files[0]).toMatchObject({ language: 'de', mismatches: [] });
    expect(gate.passed).toBe(true);
  });
});
