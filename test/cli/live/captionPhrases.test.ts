import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLOSE } from '../../../src/protocol/closeCodes.ts';
import { scoreWords } from '../../../src/replay/score/errorCounts.ts';
import { jsonLines, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { testRecognizer } from '../../helpers/needs.ts';
import { operatorCommand } from '../../helpers/operatorCommand.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import {
  connectedMessage,
  endPolitely,
  finalMessage,
  startStreamService,
} from '../../helpers/streamService.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { wav } from '../../helpers/wavBytes.ts';

const SAMPLE = 'samples/not-ill-disposed.wav';
const NOWHERE = ['--url', 'http://127.0.0.1:1', '--token', 't'];
const OPERATOR = 'a-token-of-the-operator';
const directory = sharedDirectory();

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

const vocabulary = () => file('names.txt', '# guests\nMarianne Dashwood\n\r\n  Ill-Disposed\nMarianne\n');
const context = () => file('talk.html', '<p>The estate of <b>DashWood</b>, and of Marianne.');

const captionWith = (...args: readonly string[]) => runCommand(['caption', SAMPLE, ...args]);

const operate = (page: string, command: object) => operatorCommand(page, OPERATOR, command);

const phrasesOf = (query: URLSearchParams): unknown => JSON.parse(query.get('custom_vocabularies') ?? '[]');

describe('phrases of caption', () => {
  test('go to the service with the address of the stream, each once, those of a room by its configuration', async () => {
    await using service = await startStreamService(peer => peer.close(CLOSE.badRequest));
    const rooms = [
      { name: 'hall', input: SAMPLE, vocabulary: await vocabulary(), context: await context() },
      { name: 'annex', input: SAMPLE },
    ];
    const config = await file('rooms.json', JSON.stringify({ rooms }));
    await runCommand(['caption', '--config', config, ...service.args]);
    const queries = service.peers.map(({ query }) => phrasesOf(query));
    expect(queries).toHaveLength(2);
    expect(queries).toContainEqual([
      { phrases: ['Marianne Dashwood', 'Ill-Disposed', 'Marianne', 'DashWood'] },
    ]);
    expect(queries).toContainEqual([]);
  });

  test('of an operator go to a new session with those of the files', async () => {
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      await peer.bytes(1);
      peer.say(finalMessage('Hello.', 0.1, 0.5));
      await endPolitely(peer);
    });
    const flags = ['--vocabulary', await vocabulary(), '--page', '0', '--operator-token', OPERATOR];
    const input = 'samples/sense-and-sensibility.wav';
    await using running = startCommand(['caption', input, ...flags, ...service.args]);
    const page = (await running.errorLine(/^Captions: /)).replace('Captions: ', '');
    await eventually(() => expect(service.peers[0]?.frames.length).toBeGreaterThan(3));
    expect(await operate(page, { type: 'vocabulary', text: 'Willoughby' })).toBe(200);
    expect(await operate(page, { type: 'vocabulary', text: '12' })).toBe(409);
    await eventually(() => expect(service.peers[1]?.frames.length).toBeGreaterThan(3));
    expect(phrasesOf(service.peers[1]!.query)).toEqual([
      { phrases: ['Marianne Dashwood', 'Ill-Disposed', 'Marianne'] },
      { phrases: ['Willoughby'] },
    ]);
    running.interrupt();
    await running.done;
  });

  test('of an operator are refused beside a vocabulary of the service', async () => {
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      await endPolitely(peer);
    });
    const flags = ['--custom-vocabulary-id', 'cv1', '--page', '0', '--operator-token', OPERATOR];
    await using running = startCommand(['caption', SAMPLE, ...flags, ...service.args]);
    const page = (await running.errorLine(/^Captions: /)).replace('Captions: ', '');
    expect(await operate(page, { type: 'vocabulary', text: 'Willoughby' })).toBe(409);
    await running.done;
  });

  test.each([
    ['a line without letters', 'a.txt', 'Anna\n12\n', [], 2, 'Line 2 must have at least one letter.'],
    [
      'more than an address has space for',
      'b.txt',
      'Some phrase\n'.repeat(600),
      NOWHERE,
      2,
      "'rxscribe vocabulary submit'",
    ],
    ['none', 'c.txt', '# nobody\n', [], 2, 'a list of 1 to 6000 phrases'],
    [
      'a vocabulary of the service',
      'd.txt',
      'Anna\n',
      [...NOWHERE, '--custom-vocabulary-id', 'cv1'],
      2,
      'cannot be used with --custom-vocabulary-id',
    ],
  ])('are refused when there is %s', async (_, name, content, flags, exitCode, message) => {
    const { code, stderr } = await captionWith('--vocabulary', await file(name, content), ...flags);
    expect({ code, stderr }).toEqual({ code: exitCode, stderr: expect.stringContaining(message) });
  });

  test.each([
    ['is not text', 'talk.docx', new Uint8Array([0x50, 0x4b, 0xff, 0xfe]), [], 3, 'it is not text in UTF-8'],
    ['is too large', 'big.txt', 'word '.repeat(1_100_000), [], 2, 'has 5.5 MB, more than 5'],
    ['is for another language', 'de.txt', 'Wort', ['--language', 'de'], 2, '--context requires English'],
  ])('cannot come from a document that %s', async (_, name, content, flags, exitCode, message) => {
    const { code, stderr } = await captionWith('--context', await file(name, content), ...flags);
    expect({ code, stderr }).toEqual({ code: exitCode, stderr: expect.stringContaining(message) });
  });

  test('are shown by --check', async () => {
    const service = await startTestService();
    const flags = ['--url', service.url, '--token', TEST_TOKEN, '--vocabulary', await vocabulary()];
    const { code, stdout } = await captionWith('--check', ...flags);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✔ vocabulary +3 phrases: Marianne Dashwood, Ill-Disposed, Marianne\.$/m);
  });

  testRecognizer(
    'are preferred and written as given by the embedded recogniser, which names the unusable ones',
    async () => {
      const samples = readSampleSpeech('sense-and-sensibility').slice(0, 10.5 * 16_000);
      const input = await file('talk.wav', wav(new Uint8Array(samples.buffer)));
      const names = await file('few.txt', 'Ill-Disposed\nx^2\n');
      const flags = ['--speed', 'max', '--vocabulary', names, '--context', await context()];
      const { code, stdout, stderr } = await runCommand(['caption', input, ...flags]);
      expect(code).toBe(0);
      expect(stderr).toContain("warning: Cannot use the phrase 'x^2': '^' cannot be said in English.");
      expect(stdout.replace(/\s+/g, ' ')).toMatch(/John DashWood had .*Ill-Disposed young man/);
    },
  );

  testRecognizer('of an operator are preferred from the next utterance on', async () => {
    // The phrase is of the last sentence, 17 s after the first: a busy computer may miss the pauses between.
    const flags = ['--json', '--page', '0', '--operator-token', OPERATOR];
    await using running = startCommand(['caption', 'samples/sense-and-sensibility.wav', ...flags]);
    const page = (await running.errorLine(/^Captions: /)).replace('Captions: ', '');
    await running.line(/"final"/);
    expect(await operate(page, { type: 'vocabulary', text: 'Amiable Himself' })).toBe(200);
    const { code, stdout } = await running.done;
    const text = jsonLines(stdout)
      .filter(({ type }) => type === 'final')
      .flatMap(({ elements }) => elements)
      .map(({ value }) => value)
      .join('');
    expect(code).toBe(0);
    expect(text).toContain('made Amiable Himself');
    // The audio before and after the change is in the transcript; a word at the change may be cut in two.
    const [spoken, heard] = [await readFile('samples/sense-and-sensibility.txt', 'utf8'), text].map(
      each => each.toLowerCase().match(/[a-z']+/g) ?? [],
    );
    const { deletions, insertions, substitutions } = scoreWords(spoken!, heard!);
    expect(deletions + insertions + substitutions).toBeLessThan(6);
  });
});
