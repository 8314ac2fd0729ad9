import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../../src/replay/report/report.ts';
import { cli, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { testRecognizer } from '../../helpers/needs.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { recordSpeech } from '../../replay/cassette/recordings.ts';
import { scriptedWav } from '../../replay/suite/scriptedWav.ts';
import { suiteFolder } from '../../replay/suite/suiteFolder.ts';

const TALK = { 'talk.wav': scriptedWav([4, 7, 0, 0, 0, 9]), 'talk.txt': 'w4 w7 w8' };
const ANSI = '\u001b[';

async function service(recognizer = createScriptedRecognizer()): Promise<readonly string[]> {
  const { url } = await startTestService({ recognizer });
  return ['--url', url, '--token', TEST_TOKEN];
}

/** A replay at full speed whose report is JSON. */
async function replay(directory: string, flags: readonly string[], to?: readonly string[]) {
  const server = to ?? (await service());
  const { code, stdout, stderr } = await runCommand(
    cli`replay ${directory} --speed max --rules unicode-1 --json ${server} ${flags}`,
  );
  return { code, stderr, report: (stdout === '' ? undefined : JSON.parse(stdout)) as Report };
}

describe('replay --json', () => {
  test('prints the report and nothing else', async () => {
    const { code, stderr, report } = await replay(await suiteFolder(TALK), []);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(report).toMatchObject({
      report: 'rxscribe',
      version: 1,
      wer: 1 / 3,
      rules: ['unicode-1'],
      gate: { passed: true },
      files: [{ name: 'talk', speed: 'max', language: 'en', words: { substitutions: 1 } }],
    });
    expect(report.files[0]!.service).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/$/);
    expect(JSON.stringify(report)).not.toContain(TEST_TOKEN);
  });

  test('lets connections to a service and to cassettes fail with --fault', async () => {
    const flags = ['--fault', 'cut,after_seconds=0.3'];
    const directory = await suiteFolder({ 'talk.wav': TALK['talk.wav'], 'talk.txt': 'w4 w7 w9' });
    const live = await replay(directory, flags);
    expect(live.report.files[0]).toMatchObject({ wer: 0, reconnects: 1 });
    await recordSpeech(join(directory, 'tape.jsonl'));
    const { stdout } = await runCommand(cli`replay ${join(directory, 'tape.jsonl')} --json ${flags}`);
    expect(JSON.parse(stdout).files[0]).toMatchObject({ service: 'cassette', wer: 0, reconnects: 1 });
    const refused = await replay(directory, ['--fault', 'drop']);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the kind must be one of cut, /),
    });
    const unused = await replay(directory, ['--fault', 'cut,after_seconds=60']);
    expect(unused.code).toBe(6);
  });

  test('does as each flag says', async () => {
    const recognizer = createScriptedRecognizer();
    const to = await service(recognizer);
    const directory = await suiteFolder({ ...TALK, 'other/other.txt': 'w4 w7 w9' });
    const flags = cli`--reference ${join(directory, 'other/other.txt')} --concurrency 2
      --keyword w9 --keyword w1 --rules plain-1 --speed 9`;
    const { report } = await replay(directory, flags, to);
    expect(report).toMatchObject({
      rules: ['plain-1'],
      keywords: { keywords: [{ keyword: 'w9' }, { keyword: 'w1', said: 0 }] },
      files: [{ speed: 9 }],
    });
    // Plain words of the reference, where the transcript has capitals and full stops.
    expect(report.wer).toBeGreaterThan(0);
    expect(report.delay?.final?.count).toBe(2);
    const french = await replay(directory, ['--language', 'fr'], to);
    expect(french.report.files[0]).toMatchObject({ language: 'fr', failure: expect.any(String) });
    expect(recognizer.opened.map(({ language = 'en' }) => language)).toEqual(['en']);
  });
});

describe('the exit code of replay', () => {
  test.each([
    ['0.34', 0],
    ['34%', 0],
    ['0.3', 6],
    ['30%', 6],
  ])('with --max-wer %s of 0.333 is %i', async (limit, wanted) => {
    const { code, report } = await replay(await suiteFolder(TALK), ['--max-wer', limit]);
    expect(code).toBe(wanted);
    expect(report.gate.checks).toMatchObject([{ measure: 'wer', passed: wanted === 0, value: 1 / 3 }]);
  });

  test('is that of any threshold', async () => {
    const directory = await suiteFolder(TALK);
    const to = await service();
    const kept = await replay(directory, cli`--threshold coverage=100% --threshold cer=0.5`, to);
    expect(kept.code).toBe(0);
    const limits = cli`--threshold cer=0.1 --threshold delay.word.p99=9`;
    const { code, report } = await replay(directory, limits, to);
    expect(code).toBe(6);
    expect(report.gate.checks.map(({ measure, passed }) => [measure, passed])).toEqual([
      ['cer', false],
      ['delay.word.p99', false],
    ]);
  });

  test('is 6 for a stream that failed, with a report of the others', async () => {
    const directory = await suiteFolder({ ...TALK, 'broken.wav': 'no audio' });
    const { code, stderr, report } = await replay(directory, []);
    expect(code).toBe(6);
    expect(stderr).toContain('broken: ');
    expect(report.files.map(({ name, failure }) => [name, failure === undefined])).toEqual([
      ['broken', false],
      ['talk', true],
    ]);
  });

  test.each([
    ['a measure that there is not', ['--threshold', 'were=1'], /Did you mean 'wer'\? .*coverage/s],
    [
      'a limit that is no number',
      ['--max-wer', 'low'],
      /The limit of 'wer' must be a number or a percentage such as 30%/,
    ],
    ['an update of nothing', ['--update'], /--update requires --baseline/],
    ['a report of an unknown kind', ['--report', 'r.pdf'], /\.json, \.xml, \.md, \.html/],
    ['unknown rules', ['--rules', 'klingon-1'], /english-1, unicode-1, plain-1/],
    ['a speed that is none', ['--speed', '0'], /Must be a number above 0/],
    ['an address without a token', ['--url', 'http://127.0.0.1:1'], /requires --token/],
    ['no streams at a time', ['--concurrency', '0'], /Must be an integer from 1/],
    ['one reference for two', ['--reference', 'x.txt'], /--reference requires one recording, not 2\./],
  ])('is 2 for %s', async (_, flags, message) => {
    const directory = await suiteFolder({ ...TALK, 'more.wav': scriptedWav([4]) });
    const { code, stdout, stderr } = await runCommand(['replay', directory, ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('is 3 for missing files', async () => {
    const directory = await suiteFolder({ 'talk.wav': scriptedWav([4]) });
    const to = await service();
    expect((await runCommand(['replay', '/nowhere/talk.wav', ...to])).code).toBe(3);
    const { code, stderr } = await replay(directory, ['--baseline', join(directory, 'none.json')], to);
    expect(code).toBe(3);
    expect(stderr).toContain('Run the suite with --update to write one.');
  });

  test('is 4 for a report that cannot be written, but is printed', async () => {
    const directory = await suiteFolder({ ...TALK, file: 'x' });
    const { code, stderr, report } = await replay(directory, ['--report', join(directory, 'file/r.json')]);
    expect(code).toBe(4);
    expect(stderr).toContain('Cannot write the report');
    expect(report.wer).toBe(1 / 3);
  });

  test('is 130 after Ctrl-C, with a report of what was finished', async () => {
    const directory = await suiteFolder({
      'a.wav': scriptedWav([4]),
      'b.wav': scriptedWav(Array(3000).fill(5)),
    });
    const path = join(directory, 'report.json');
    const recognizer = createScriptedRecognizer();
    const to = await service(recognizer);
    await using running = startCommand(['replay', directory, '--report', path, ...to]);
    await expect.poll(() => recognizer.opened.length).toBe(2);
    running.interrupt();
    const { code, stdout } = await running.done;
    expect(code).toBe(130);
    expect(stdout).toContain('interrupted: 1 of 2 streams did not finish');
    const report = JSON.parse(await readFile(path, 'utf8')) as Report;
    expect(report.files.map(({ name }) => name)).toEqual(['a']);
    expect(report.gate.passed).toBe(false);
  });
});

describe('replay --baseline', () => {
  test('passes for the same words, and fails when none of them is heard', async () => {
    const words = Array.from({ length: 30 }, (_, index) => index + 1);
    const reference = words.map(word => (word === 7 ? 'other' : `w${word}`)).join(' ');
    const directory = await suiteFolder({ 'talk.wav': scriptedWav(words), 'talk.txt': reference });
    const baseline = join(await suiteFolder({}), 'deep/baseline.json');
    await mkdir(join(baseline, '..'));
    const to = await service();
    const again = (...flags: string[]) => replay(directory, ['--baseline', baseline, ...flags], to);

    expect(await again('--update', '--max-wer', '1%')).toMatchObject({ code: 6, report: { wer: 1 / 30 } });
    expect((await again('--update')).code).toBe(0);
    const written = await readFile(baseline, 'utf8');
    expect(JSON.parse(written)).toMatchObject({ baseline: 'rxscribe', version: 1, files: { talk: {} } });
    expect(await readdir(join(baseline, '..'))).toEqual(['baseline.json']);
    expect((await again()).code).toBe(0);

    await writeFile(join(directory, 'talk.wav'), scriptedWav([0, 0, 0]));
    const worse = await again();
    expect(worse.code).toBe(6);
    const check = worse.report.gate.checks.find(({ measure }) => measure === 'wer');
    expect(check).toMatchObject({ passed: false, baseline: 1 / 30 });
    expect((await again('--update', '--max-wer', '1%')).stderr).toContain('is unchanged');
    expect(await readFile(baseline, 'utf8')).toBe(written);
    expect((await again('--update')).code).toBe(0);
    expect((await again()).code).toBe(0);
  });

  test('--update leaves the baseline as it was when a stream fails', async () => {
    const directory = await suiteFolder({ 'a.wav': 'no audio', 'old.json': 'old' });
    const path = join(directory, 'old.json');
    const { code, stderr } = await replay(directory, ['--baseline', path, '--update']);
    expect(code).toBe(6);
    expect(stderr).toContain('is unchanged');
    expect(await readFile(path, 'utf8')).toBe('old');
  });
});

describe('replay', () => {
  test('prints a table, what the gate says, and the differences: plain where it is no terminal', async () => {
    const directory = await suiteFolder({ ...TALK, 'more.wav': scriptedWav([4]), 'broken.wav': 'no audio' });
    const args = cli`replay ${directory} --speed max --rules unicode-1 --max-wer 50% ${await service()}`;
    const { stdout } = await runCommand(args);
    expect(stdout).not.toContain(ANSI);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^file +audio +WER +CER +UPWR +UPSR +Coverage +Reconnects$/),
      expect.stringMatching(/^broken +0:00\.\d +failed$/),
      expect.stringMatching(/^more +0:00\.\d +– +– /),
      expect.stringMatching(/^talk +0:00\.\d +33\.33 % /),
      expect.stringMatching(/^all +0:00\.\d +33\.33 % /),
      expect.stringMatching(/^3 runs answered by ws:/),
      '',
      expect.stringMatching(/^✘ broken: the stream failed: /),
      '✔ wer 33.33 % is not above 50.00 %',
      '',
      'differences of talk, the file with the most',
      expect.stringMatching(/^REF .*W8/),
      expect.stringMatching(/^HYP .*W9/),
      'most common errors',
      expect.stringMatching(/^1 × w8 → /),
      '',
    ]);
    const colourful = await runCommand(args, { columns: 200, colours: true });
    expect(colourful.stdout).toContain(ANSI);
  });

  test('prints no figures when no stream was completed', async () => {
    const directory = await suiteFolder({ 'broken.wav': 'no audio' });
    const { stdout } = await runCommand(['replay', directory, ...(await service())]);
    expect(stdout).toMatch(/^all +0:00\.\d +failed$/m);
  });

  test('writes reports of all kinds at once', async () => {
    const directory = await suiteFolder(TALK);
    const out = join(await suiteFolder({}), 'reports');
    const names = ['r.html', 'r.json', 'r.md', 'r.xml'];
    const { code, report } = await replay(
      directory,
      names.flatMap(name => ['--report', join(out, name)]),
    );
    expect(code).toBe(0);
    expect((await readdir(out)).sort()).toEqual(names);
    expect(JSON.parse(await readFile(join(out, 'r.json'), 'utf8'))).toEqual(report);
    expect(await readFile(join(out, 'r.xml'), 'utf8')).toMatch(/<testsuites.*talk/s);
    expect(await readFile(join(out, 'r.md'), 'utf8')).toContain('talk');
    // With the audio in it.
    expect(await readFile(join(out, 'r.html'), 'utf8')).toContain('id="audio-0"');
  });

  test('runs a suite file against the service that it names, with a token of the environment', async () => {
    const { url } = await startTestService();
    const directory = await suiteFolder({
      ...TALK,
      'suite.yaml': `name: talks\nurl: ${url}\ndefaults: { speed: max, rules: unicode-1 }\ncases: [{ audio: talk.wav }]\n`,
    });
    const path = join(directory, 'suite.yaml');
    const { code, stdout } = await runCommand(['replay', path, '--json'], {
      env: { RXSCRIBE_TOKEN: TEST_TOKEN },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ suite: 'talks', wer: 1 / 3 });
    const without = await runCommand(['replay', path]);
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('requires --token') });
  });

  test('plays cassettes by themselves, without a service or a recogniser', async () => {
    const directory = await suiteFolder({});
    const path = join(directory, 'tape.cassette.jsonl');
    await recordSpeech(path, { cassette: { path, speed: 1 } });
    const page = join(directory, 'page.html');
    const flags = cli`--speed 1 --max-wer 0 --report ${page}`;
    const { code, report, stderr } = await replay(directory, flags, []);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
    expect(report.files).toMatchObject([{ name: 'tape', service: 'cassette', wer: 0, speed: 1 }]);
    expect(report.delay?.final?.count).toBe(2);
    expect(await readFile(page, 'utf8')).toContain('id="audio-0"');
  });

  test('refuses flags of a service when every case is answered by its recording, and says so in each report', async () => {
    const directory = await suiteFolder({});
    await recordSpeech(join(directory, 'tape.jsonl'));
    const tape = join(directory, 'tape.jsonl');
    for (const flag of [
      ['--model', 'none'],
      ['--engine', 'moonshine'],
      ['--pause', '0.3'],
    ]) {
      const { code, stderr } = await runCommand(['replay', tape, ...flag]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('tests the client only') });
    }
    const names = ['r.html', 'r.md', 'r.xml'];
    const reports = names.flatMap(name => ['--report', join(directory, name)]);
    const env = { RXSCRIBE_URL: 'ws://127.0.0.1:9' };
    const { stdout, stderr } = await runCommand(['replay', tape, ...reports], { env });
    expect(stderr).toContain('RXSCRIBE_URL is not used');
    const files = await Promise.all(names.map(name => readFile(join(directory, name), 'utf8')));
    for (const text of [stdout, ...files]) expect(text).toContain('1 run answered by the recording');
  });

  test('sends audio to the service of the environment, and cassettes only to one that is named', async () => {
    const directory = await suiteFolder({ 'talk.wav': scriptedWav([4]) });
    await recordSpeech(join(directory, 'tape.jsonl'));
    const { url } = await startTestService({ recognizer: createScriptedRecognizer() });
    const services = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
      const { stdout } = await runCommand(['replay', ...args, '--speed', 'max', '--json'], { env });
      return (JSON.parse(stdout) as Report).files.map(({ name, service }) => [name, service]);
    };
    const token = { RXSCRIBE_TOKEN: TEST_TOKEN };
    const shown = expect.stringMatching(/^ws:/);
    expect(await services({ ...token, RXSCRIBE_URL: url }, directory)).toEqual([
      ['talk', shown],
      ['tape', 'cassette'],
    ]);
    expect(await services(token, directory, '--url', url)).toEqual([
      ['talk', shown],
      ['tape', shown],
    ]);
    // A cassette needs no service, and so no token.
    expect(await services({ RXSCRIBE_URL: url }, join(directory, 'tape.jsonl'))).toEqual([
      ['tape', 'cassette'],
    ]);
  });

  testRecognizer('streams the sample suite to an embedded service', async () => {
    const { code, stdout, stderr } = await runCommand(['replay', 'samples/suite.yaml', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = JSON.parse(stdout) as Report;
    expect(report).toMatchObject({
      suite: 'samples',
      rules: ['english-1'],
      coverage: 1,
      words: { tokens: 78 },
      files: [
        {
          name: 'sense-and-sensibility',
          service: expect.stringMatching(/^embedded \(moonshine/),
          speed: 'max',
        },
        { name: 'not-ill-disposed', service: expect.stringMatching(/^embedded \(/) },
      ],
    });
    expect(report.gate.checks.map(({ measure }) => measure)).toEqual([
      ...['wer', 'coverage', 'reconnects', 'keywords.recall'],
    ]);
  });
});
