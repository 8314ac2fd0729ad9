import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cli, runCommand, runProcess, startCommand, startProcess } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { socketServer } from '../../helpers/loopbackServer.ts';
import { testProgram, testRecognizer } from '../../helpers/needs.ts';
import { onTerminal } from '../../helpers/onTerminal.ts';

const SAMPLE = 'samples/not-ill-disposed.wav';
const LONG_SAMPLE = 'samples/sense-and-sensibility.wav';
const JOB = { id: 'a1', created_on: '2026-01-01T00:00:00Z', status: 'in_progress', type: 'async' };
const MIB = 1024 * 1024;

afterEach(() => vi.unstubAllEnvs());

/** A directory that holds the temporary files of this process, and of those with the environment, and nothing else. */
async function ownTemporaryFiles() {
  const directory = await temporaryDirectory();
  vi.stubEnv('TMPDIR', directory);
  return { directory, env: { TMPDIR: directory, NODE_DISABLE_COMPILE_CACHE: '1' } };
}

const filesBelow = (directory: string) => readdirSync(directory, { recursive: true });

describe('transcribe with an embedded service', () => {
  testRecognizer('prints the transcript and leaves nothing behind', async () => {
    const { directory } = await ownTemporaryFiles();
    const { code, stdout, stderr } = await runCommand(['transcribe', SAMPLE]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Speaker 0 {4}00:00:00 {4}He was .*man\.\n$/);
    expect(filesBelow(directory)).toEqual([]);
  });

  testRecognizer('ends cleanly on Ctrl-C while the job runs, and leaves nothing behind', async () => {
    const { directory } = await ownTemporaryFiles();
    await using running = startCommand(['transcribe', LONG_SAMPLE]);
    // The upload has arrived.
    await eventually(() => expect(filesBelow(directory).join()).toContain('media'));
    running.interrupt();
    const { code, stdout, stderr } = await running.done;
    expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: '' });
    expect(filesBelow(directory)).toEqual([]);
  });

  testRecognizer('removes the files of a killed process, and none of a running one', async () => {
    const { directory, env } = await ownTemporaryFiles();
    const uploads = () => filesBelow(directory).filter(name => String(name).endsWith('media'));
    await using killed = startProcess(['transcribe', LONG_SAMPLE], { env });
    await eventually(() => expect(uploads()).toHaveLength(1));
    killed.process.kill('SIGKILL');
    await killed.done;
    const left = uploads();
    await using running = startProcess(['transcribe', LONG_SAMPLE], { env });
    await eventually(() => expect(uploads()).toEqual([expect.not.stringContaining(String(left[0]))]));
    // However slow the other one is.
    running.process.kill('SIGSTOP');
    const kept = uploads();
    expect(await runProcess(['sentiment', '--text', 'Good.'], { env })).toMatchObject({ code: 0 });
    expect(uploads()).toEqual(kept);
  });

  testRecognizer('reports in one line why a job failed', async () => {
    const path = join(await temporaryDirectory(), 'notes.txt');
    await writeFile(path, 'hello there, this is only text\n'.repeat(100));
    const { code, stdout, stderr } = await runCommand(['transcribe', path]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^error: .*invalid_media.*\n$/);
  });
});

describe('transcribe with another service', () => {
  test('says on Ctrl-C that the job continues', async () => {
    const service = await startHttpService(() => ({ json: JOB }));
    const args = ['transcribe', 'https://example.org/a.wav', '--url', service.url, '--token', 't'];
    await using running = startCommand(args);
    await eventually(() => expect(service.requests.map(({ method }) => method)).toContain('GET'));
    running.interrupt();
    const { code, stdout, stderr } = await running.done;
    expect({ code, stdout, stderr }).toEqual({
      code: 130,
      stdout: '',
      stderr: 'Job a1 continues at the service.\n',
    });
  });

  test('ends on Ctrl-C during an upload', async () => {
    let bytes = 0;
    const { url } = await socketServer(socket => {
      socket.on('data', data => {
        bytes += data.length;
        if (bytes > MIB) socket.pause();
      });
    });
    const path = join(await temporaryDirectory(), 'large.wav');
    await writeFile(path, Buffer.alloc(50 * MIB));
    await using running = startCommand(['transcribe', path, '--url', url, '--token', 't']);
    await eventually(() => expect(bytes).toBeGreaterThan(MIB));
    running.interrupt();
    const { code, stdout, stderr } = await running.done;
    expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  test('says which job continues when the service refuses', async () => {
    const service = await startHttpService(({ method }) =>
      method === 'POST' ? { json: JOB } : { status: 401, json: { title: 'The token is too old' } },
    );
    const args = ['transcribe', 'https://example.org/a.wav', '--url', service.url, '--token', 't'];
    const { code, stdout, stderr } = await runCommand(args);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toMatch(/^Job a1 continues at the service\.\nerror: .*The token is too old/);
  });
});

test('transcribe and job transcript name the characters that SCC cannot show, in one line', async () => {
  const element = { type: 'text', value: '你好', ts: 5, end_ts: 6 };
  const transcript = { monologues: [{ speaker: 0, elements: [element] }] };
  const service = await startHttpService(({ url }) => ({
    json: url.endsWith('/transcript') ? transcript : { ...JOB, status: 'transcribed' },
  }));
  const access = ['--url', service.url, '--token', 't', '--format', 'scc'];
  const out = join(await temporaryDirectory(), 'a.scc');
  const stderr = "The SCC file has '?' for 2 characters that CEA-608 lacks: 你 好.\n";
  const transcribed = await runCommand(['transcribe', 'https://example.org/a.wav', ...access, '--out', out]);
  expect(transcribed).toMatchObject({ code: 0, stderr });
  expect(await runCommand(['job', 'transcript', JOB.id, ...access])).toMatchObject({ code: 0, stderr });
});

describe('the job of transcribe', () => {
  /** Returns the body of the submission. */
  async function asked(...flags: readonly string[]): Promise<unknown> {
    const transcript = { monologues: [] };
    const service = await startHttpService(({ method, url }) => ({
      json: url.endsWith('/transcript')
        ? transcript
        : { ...JOB, status: method === 'POST' ? JOB.status : 'transcribed' },
    }));
    const args = ['transcribe', 'https://example.org/a.wav', '--url', service.url, '--token', 't', ...flags];
    expect(await runCommand(args)).toMatchObject({ code: 0, stderr: '' });
    return service.requests[0]!.json();
  }
  const source = { source_config: { url: 'https://example.org/a.wav' }, language: 'en' };

  test('has none of the options of the command itself', async () => {
    const out = join(await temporaryDirectory(), 'a.srt');
    expect(await asked('--out', out, '--overwrite', '--format', 'json')).toEqual(source);
  });

  test('has each option of the job under its name', async () => {
    const flags = cli`--no-wait --metadata m --delete-after-seconds 60 --filter-profanity --remove-disfluencies
      --skip-postprocessing --custom-vocabulary-id v1 --speaker-channels-count 2 --speakers-count 3
      --skip-diarization --skip-punctuation --notify https://example.org/hook --human --verbatim --rush
      --segment 1-2 --segment 60.5-130 --speaker-name Ann --speaker-name Bob`;
    expect(await asked(...flags)).toEqual({
      ...source,
      metadata: 'm',
      delete_after_seconds: 60,
      filter_profanity: true,
      remove_disfluencies: true,
      skip_postprocessing: true,
      custom_vocabulary_id: 'v1',
      speaker_channels_count: 2,
      speakers_count: 3,
      skip_diarization: true,
      skip_punctuation: true,
      notification_config: { url: 'https://example.org/hook' },
      transcriber: 'human',
      verbatim: true,
      rush: true,
      segments_to_transcribe: [
        { start: '1', end: '2' },
        { start: '60.5', end: '130' },
      ],
      speaker_names: [{ display_name: 'Ann' }, { display_name: 'Bob' }],
    });
  });

  test('has the phrases of a file', async () => {
    const words = join(await temporaryDirectory(), 'words.txt');
    await writeFile(words, '\n Rx Scribe \r\nPGlite\n\n');
    const custom_vocabularies = [{ phrases: ['Rx Scribe', 'PGlite'] }];
    expect(await asked('--vocabulary', words)).toEqual({ ...source, custom_vocabularies });
  });
});

test('transcribe warns of phrases that the service cannot use, and sends those of a document', async () => {
  const unusable_phrases = [{ phrase: 'x^2', reason: 'it cannot be said' }];
  const service = await startHttpService(({ url }) => ({
    json: url.endsWith('/transcript')
      ? { monologues: [] }
      : { ...JOB, status: 'transcribed', unusable_phrases },
  }));
  const context = join(await temporaryDirectory(), 'talk.md');
  await writeFile(
    context,
    '# PGlite\n\nThis is about **PGlite** and [Kysely](https://example.org/rxscribe).\n',
  );
  const access = ['--url', service.url, '--token', 't', '--context', context];
  const { stderr } = await runCommand(['transcribe', 'https://example.org/a.wav', ...access]);
  expect(stderr).toBe("Cannot use the phrase 'x^2': it cannot be said.\n");
  expect(service.requests[0]!.json()).toMatchObject({
    custom_vocabularies: [{ phrases: ['PGlite', 'Kysely'] }],
  });
});

describe('on a terminal', () => {
  const HELLO = { monologues: [{ speaker: 0, elements: [{ type: 'text', value: 'Hello' }] }] };
  const environment = ({ url }: { readonly url: string }) => ({ RXSCRIBE_URL: url, RXSCRIBE_TOKEN: 't' });

  testProgram('an upload is shown as a bar, which is gone before the transcript', 'script', async () => {
    const service = await startHttpService(({ url }) => ({
      json: url.endsWith('/transcript') ? HELLO : { ...JOB, status: 'transcribed' },
    }));
    const path = join(await temporaryDirectory(), 'talk.wav');
    await writeFile(path, Buffer.alloc(300 * MIB));
    const output = await onTerminal(['transcribe', path], { columns: 80, env: environment(service) });
    expect(output).toMatch(/uploading talk\.wav {2}█+░+ \d+ %/);
    expect(output).toContain('transcribing talk.wav');
    const lines = output.split('\r\u001b[2K');
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.at(-1)).toBe('Speaker 0    00:00:00    Hello\r\n');
  });

  testProgram('a job is shown as a bar, and by job get as percent', 'script', async () => {
    let looks = 0;
    const service = await startHttpService(({ method, url }) => {
      if (method === 'POST') return { json: JOB };
      if (url.endsWith('/transcript')) return { json: HELLO };
      looks += 1;
      return { json: looks < 4 ? { ...JOB, progress: 40 } : { ...JOB, status: 'transcribed' } };
    });
    const options = { columns: 80, env: environment(service) };
    const output = await onTerminal(['transcribe', 'https://example.org/a.wav'], options);
    expect(output).toMatch(/transcribing a\.wav {2}█+░+ 40 %/);
    looks = 0;
    expect(await onTerminal(['job', 'get', 'a1'], options)).toContain('in_progress 40 %');
  });

  testProgram('lists are tables that no text can break', 'script', async () => {
    const jobs = [
      { ...JOB, status: 'transcribed', name: '会議.wav', duration_seconds: 12.5, metadata: 'a\u001b[31m\nb' },
      { ...JOB, id: 'longer-id', status: 'failed', failure: 'invalid_media', name: 'x' },
    ];
    const service = await startHttpService(() => ({ json: jobs }));
    const output = await onTerminal(['job', 'list'], { columns: 80, env: environment(service) });
    const created = '2026-01-01T00:00:00Z';
    expect(output.split('\r\n')).toEqual([
      `\u001b[2mid         type   status         seconds  created               name      metadata\u001b[22m`,
      `a1         async  transcribed    12.5     ${created}  会議.wav  a [31m b`,
      `longer-id  async  invalid_media           ${created}  x`,
      '',
    ]);
  });
});
