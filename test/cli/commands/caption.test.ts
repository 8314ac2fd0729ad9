import { rmSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLOSE } from '../../../src/protocol/closeCodes.ts';
import { hidePrograms } from '../../helpers/childProcesses.ts';
import { cli, jsonLines, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { testRecognizer } from '../../helpers/needs.ts';
import { createPulseMicrophone, noPulseMicrophone } from '../../helpers/pulseMicrophone.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import {
  closeAtEnd,
  connectedMessage,
  finalMessage,
  startStreamService,
} from '../../helpers/streamService.ts';

const SAMPLE = 'samples/not-ill-disposed.wav';
const HELLO = finalMessage('Hello', 0.2, 0.5);

describe('caption --json', () => {
  testRecognizer('prints every event as a line of JSON, and the transcript last', async () => {
    const { code, stdout } = await runCommand(['caption', SAMPLE, '--speed', 'max', '--json']);
    const lines = jsonLines(stdout);
    expect(code).toBe(0);
    expect([...new Set(lines.map(line => line.type))]).toEqual(
      expect.arrayContaining(['status', 'partial', 'final', 'transcript']),
    );
    const final = lines.find(line => line.type === 'final')!;
    expect(final).toMatchObject({
      ts: expect.any(Number),
      end_ts: expect.any(Number),
      elements: expect.any(Array),
    });
    expect(lines.at(-1)).toMatchObject({ type: 'transcript', transcript: { monologues: [{ speaker: 0 }] } });
    expect(JSON.stringify(lines.at(-1))).toContain('"man"');
    const coverage = lines.at(-1)!.coverage as readonly { kind: string; ts: number; end_ts: number }[];
    expect(new Set(coverage.map(span => span.kind))).toEqual(new Set(['final', 'silence']));
    expect(coverage.map(span => span.ts)).toEqual([0, ...coverage.slice(0, -1).map(span => span.end_ts)]);
  });

  test('keeps what was final when the connection breaks', async () => {
    await using service = await startStreamService(peer => {
      peer.say(connectedMessage, HELLO);
      peer.socket.once('message', () => peer.socket.terminate());
    });
    const out = join(await temporaryDirectory(), 'kept.txt');
    const { code, stdout, stderr } = await runCommand(
      cli`caption ${SAMPLE} --json --out ${out} --give-up-after 1 ${service.args}`,
    );
    expect(code).toBe(4);
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      type: 'transcript',
      transcript: { monologues: [{ elements: [{ value: 'Hello' }] }] },
    });
    expect(await readFile(out, 'utf8')).toContain('Hello');
    expect(stdout + stderr).not.toContain('secret-token');
  });

  test('warns of unknown messages, and continues', async () => {
    await using service = await startStreamService(peer => {
      peer.say(connectedMessage, { type: 'hypothesis' }, '{"type":', { ...HELLO, end_ts: 0.2 });
      void closeAtEnd(peer);
    });
    const { code, stdout } = await runCommand(cli`caption ${SAMPLE} --speed max --json ${service.args}`);
    const lines = jsonLines(stdout);
    expect(code).toBe(0);
    expect(lines.filter(line => line.type === 'warning').map(line => line.code)).toEqual([
      'unknown-message',
      'malformed-message',
      'corrected-final',
    ]);
    expect(JSON.stringify(lines.at(-1))).toContain('Hello');
  });
});

describe('caption', () => {
  test.each([
    ['unauthorized', 5],
    ['badRequest', 5],
    ['outOfCredit', 5],
    ['tooManyRequests', 5],
    ['shuttingDown', 4],
    ['noInstance', 4],
    ['internalError', 4],
    ['unexpectedText', 4],
  ] as const)('says what to do when the service closes as %s, and exits with %i', async (name, exitCode) => {
    await using service = await startStreamService(peer => peer.close(CLOSE[name]));
    const { code, stderr } = await runCommand(['caption', SAMPLE, '--give-up-after', '1', ...service.args]);
    expect(stderr).toContain(String(CLOSE[name].code));
    // Before the error and its advice: that it is tried again.
    expect(stderr.trim().split('\n').length).toBe(CLOSE[name].retry ? 3 : 2);
    expect(code).toBe(exitCode);
  });

  test('says which transcript cannot be written', async () => {
    await using service = await startStreamService(peer => {
      peer.say(connectedMessage, HELLO);
      // The place for the file vanishes while the captions run.
      peer.socket.once('message', () => rmSync(gone, { recursive: true }));
      void closeAtEnd(peer);
    });
    const gone = join(await temporaryDirectory(), 'gone');
    await mkdir(gone);
    const out = join(gone, 'talk.txt');
    const { code, stderr } = await runCommand(
      cli`caption ${SAMPLE} --speed max --out ${out} ${service.args}`,
    );
    const lines = stderr.trim().split('\n');
    expect(code).toBe(4);
    expect(lines.at(-1)).toMatch(/^error: Cannot write '/);
    // A warning may come before, when the first words cannot be written.
    expect(lines.filter(line => !line.includes(out))).toEqual([]);
  });

  test('passes its options to the service', async () => {
    await using service = await startStreamService(peer => peer.close(CLOSE.badRequest));
    await runCommand(
      cli`caption ${SAMPLE} --url ${service.url} --token t --rate 8000 --channels 2 --language fr_CA
        --delete-after-seconds 60 --filter-profanity --remove-disfluencies --skip-postprocessing
        --custom-vocabulary-id cv1 --start-ts 1.5 --metadata ${'a & b'}`,
    );
    expect(Object.fromEntries(service.peers[0]!.query)).toMatchObject({
      access_token: 't',
      content_type: 'audio/x-raw;layout=interleaved;rate=8000;format=S16LE;channels=2',
      language: 'fr',
      delete_after_seconds: '60',
      filter_profanity: 'true',
      remove_disfluencies: 'true',
      skip_postprocessing: 'true',
      custom_vocabulary_id: 'cv1',
      start_ts: '1.5',
      metadata: 'a & b',
    });
  });
});

describe('caption --mic', () => {
  testRecognizer('captions a microphone until Ctrl-C', async context => {
    if (noPulseMicrophone) context.skip(noPulseMicrophone);
    await using room = await createPulseMicrophone();
    await using running = startCommand(['caption', '--mic', '--json']);
    await running.line(/"connected"/);
    let wasHeard = false;
    const heard = running.line(/"final"/).finally(() => {
      wasHeard = true;
    });
    const sentence = joined(readSampleSpeech('not-ill-disposed'), silence(1));
    // A busy machine may drop moments of it.
    while (!wasHeard) await room.speak(sentence);
    await heard;
    running.interrupt();
    const { code, stdout, stderr } = await running.done;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      type: 'transcript',
      transcript: { monologues: [{ speaker: 0 }] },
    });
  });

  test('exits with 3 and the reason when there is no recorder', async () => {
    await using _none = await hidePrograms();
    const args = ['caption', '--mic', '--url', 'http://127.0.0.1:1', '--token', 't'];
    const { code, stderr } = await runCommand(args);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('arecord') });
  });
});
