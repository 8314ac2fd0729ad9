import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { commandPath } from '../../src/cli/flags/contextCommand.ts';
import { createProgram } from '../../src/cli/main.ts';
import { readCassette } from '../../src/replay/cassette/read/readCassette.ts';
import { playServer } from '../../src/replay/play/server/playServer.ts';
import { cutToWidth } from '../../src/transcript/text/textWidth.ts';
import { AnsiScreen } from '../helpers/ansiScreen.ts';
import { idleContext, runCommand, withCommands } from '../helpers/commandLine.ts';
import { dataDirectory } from '../helpers/dataDirectory.ts';
import { startHttpService } from '../helpers/httpService.ts';
import { createScriptedRecognizer } from '../helpers/scriptedRecognizer.ts';
import { startTestService, TEST_TOKEN } from '../helpers/testService.ts';

// Outputs as people read them, in terminals of 80 and 40 columns. After a change, read the difference line by line:
// npx vitest run --config test/vitest.config.ts test/cli/golden.test.ts --update

const WIDTHS = [80, 40] as const;
const SAMPLE = 'samples/not-ill-disposed.wav';
const NOWHERE = ['--url', 'http://127.0.0.1:1', '--token', 't'];

/** Its path is as long on every machine, since messages are wrapped with it. */
const directory = mkdtempSync('/tmp/rxscribe-golden-');
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, content: string): string {
  writeFileSync(join(directory, name), content);
  return join(directory, name);
}

const golden = (name: string) => new URL(`../fixtures/golden/${name}.txt`, import.meta.url).pathname;

/** Returns the lines of a terminal, which breaks long ones at its last column. */
function onScreen(text: string, columns: number): string {
  const stable = text
    .replaceAll(directory, '/tmp/rxscribe-golden-000000')
    .replaceAll(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:50000');
  return stable
    .split('\n')
    .flatMap(line => (line === '' ? [''] : cutToWidth(line, columns)))
    .join('\n');
}

describe.each(WIDTHS)('in %i columns', columns => {
  test('the help of every command is as it was read last', async () => {
    const texts: string[] = [];
    for (const command of withCommands(createProgram(idleContext()))) {
      const [, ...args] = `${commandPath(command)} --help`.split(' ');
      const { code, stdout, stderr } = await runCommand(args, { columns });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      texts.push(`$ rxscribe ${args.join(' ')}\n\n${stdout}`);
    }
    const version = /^\d+\.\d+\.\d+$/gm;
    await expect(texts.join('\n\n').replaceAll(version, '1.2.3')).toMatchFileSnapshot(
      golden(`help-${columns}`),
    );
  });

  test('the main errors are as they were read last', async () => {
    const recognizer = createScriptedRecognizer();
    const service = await startTestService({ recognizer, dataDirectory: await dataDirectory() });
    const rightToken = ['--url', service.url, '--token', TEST_TOKEN];
    const wrongToken = ['--url', service.url, '--token', 'not-the-token'];
    const transcript = { monologues: [{ speaker: 0, elements: [{ type: 'text', value: 'Hello' }] }] };
    const done = { id: 'a1', created_on: '2026-01-01T00:00:00Z', status: 'transcribed', type: 'async' };
    const fake = await startHttpService(({ url }) => ({
      json: url.endsWith('/transcript') ? transcript : done,
    }));
    symlinkSync('/dev/full', join(directory, `full-${columns}.srt`));
    const full = ['--out', join(directory, `full-${columns}.srt`), '--overwrite'];
    const commands: readonly (readonly string[])[] = [
      ['captoin'],
      ['caption'],
      ['caption', SAMPLE, '--mic'],
      ['caption', SAMPLE, '--loud'],
      ['caption', SAMPLE, '--rate', '12'],
      ['caption', SAMPLE, '--device', 'desk'],
      ['caption', SAMPLE, '--url', 'http://127.0.0.1:1'],
      ['caption', SAMPLE, '--url', 'nowhere', '--token', 't'],
      ['caption', SAMPLE, '--out', 'talk.doc'],
      ['caption', SAMPLE, '--out', file('talk.srt', '')],
      ['caption', SAMPLE, '--spool', file('talk.spool', '')],
      ['caption', join(directory, 'missing.wav'), ...NOWHERE],
      ['caption', SAMPLE, '--give-up-after', '0', ...NOWHERE],
      ['caption', SAMPLE, ...wrongToken],
      ['caption', SAMPLE, '--language', 'de', ...rightToken],
      ['caption', SAMPLE, '--engine', 'sherpa-onnx'],
      ['transcribe'],
      ['transcribe', SAMPLE, '--format', 'doc'],
      ['transcribe', SAMPLE, '--human'],
      ['transcribe', join(directory, 'missing.wav'), ...NOWHERE],
      ['transcribe', SAMPLE, ...NOWHERE],
      ['transcribe', SAMPLE, ...wrongToken],
      ['transcribe', SAMPLE, '--language', 'de', ...rightToken],
      ['transcribe', SAMPLE, '--url', fake.url, '--token', 't', ...full],
      ['record', SAMPLE, '--out', 'talk.wav'],
      ['resume', 'missing.spool'],
      ['job', 'list'],
      ['account', 'list', '--data', directory],
      ['account', 'delete', 'ada@example.org'],
      ['model', 'pull', 'whisper-giant'],
      ['replay', SAMPLE, '--max-wer', '30'],
    ];
    const texts: string[] = [];
    for (const args of commands) {
      const { code, stdout, stderr } = await runCommand(args, { columns });
      const line = onScreen(`$ rxscribe ${args.join(' ')}`, 10_000);
      const printed = stripVTControlCharacters(`${stdout}${stderr}`.replaceAll(/[^\n]*\r/g, ''));
      texts.push(`${line}\n${onScreen(printed, columns)}(exit code ${code})\n`);
    }
    await expect(texts.join('\n')).toMatchFileSnapshot(golden(`errors-${columns}`));
  });

  test('the captions of the demo are as they were read last', async () => {
    const samples = new URL('../../samples/', import.meta.url).pathname;
    const cassette = await readCassette(join(samples, 'sense-and-sensibility.cassette.jsonl'));
    await using server = await playServer(cassette);
    const access = ['--url', server.url, '--token', server.token];
    const args = ['caption', join(samples, 'sense-and-sensibility.wav'), '--speed', 'max', ...access];
    const { code, stdout, stderr } = await runCommand(args, { columns });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const screen = new AnsiScreen(columns, 24);
    screen.write(stdout);
    await expect(`${screen.certain.join('\n').trim()}\n`).toMatchFileSnapshot(golden(`demo-${columns}`));
  });
});
