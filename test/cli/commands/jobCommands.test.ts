import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/jobs/createClient.ts';
import type { MediaSource } from '../../../src/client/jobs/mediaSource.ts';
import { cli, jsonLines, type RunOptions, runCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { keptService, speechFile } from '../../helpers/keptService.ts';
import { scriptedEngines } from '../../helpers/scriptedEngines.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';

const recognizer = createScriptedRecognizer();
const service = keptService({
  recognizer,
  ...scriptedEngines(),
  allowPrivateAddresses: true,
});

/** Runs a command with the service in its environment. */
function run(args: readonly string[], options: RunOptions = {}) {
  const env = { RXSCRIBE_URL: service().url, RXSCRIBE_TOKEN: TEST_TOKEN, ...options.env };
  return runCommand(args, { ...options, env });
}

const clientOf = () => createClient({ url: service().url, token: TEST_TOKEN });

/** A job that has ended. */
async function endedJob(source: MediaSource = { data: speechFile(), name: 'speech.wav' }): Promise<string> {
  const { transcription } = clientOf();
  const job = await transcription.submit(source, { metadata: 'a "b"\tc' });
  await transcription.waitFor(job);
  return job.id;
}

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(await temporaryDirectory(), name);
  await writeFile(path, content);
  return path;
}

describe('transcribe', () => {
  test.each([
    ['text', /^Speaker 0 {4}00:00:00 {4}W4 w7\. W9\.\n$/],
    ['srt', /^1\n00:00:00,000 --> 00:00:00,600\nW4 w7\. W9\.\n/],
    ['vtt', /^WEBVTT\n\n[\s\S]*W4 w7\. W9\.\n/],
    ['json', /^\{\s*"monologues": \[[\s\S]*"end_ts": 0\.1/],
  ])('prints the transcript of a file as %s, and nothing else', async (format, expected) => {
    const path = await file('speech.wav', speechFile());
    const { code, stdout, stderr } = await run(['transcribe', path, '--format', format]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(expected);
  });

  test('writes files beside what it prints', async () => {
    const path = await file('speech.wav', speechFile());
    const outs = ['srt', 'vtt', 'txt', 'json'].map(ending => `${path}.${ending}`);
    const { code, stdout } = await run(['transcribe', path, ...outs.flatMap(out => ['--out', out])]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Speaker 0    00:00:00    W4 w7. W9.\n' });
    const [srt, vtt, txt, json] = await Promise.all(outs.map(out => readFile(out, 'utf8')));
    expect(srt).toMatch(/^1\n00:00:00,000 --> /);
    expect(vtt).toMatch(/^WEBVTT\n/);
    expect(txt).toBe(stdout);
    expect(JSON.parse(json!)).toMatchObject({ monologues: [{ speaker: 0 }] });
  });

  test('prints the transcript when its file cannot be written', async () => {
    const out = join(await temporaryDirectory(), 'full.txt');
    await symlink('/dev/full', out);
    const path = await file('speech.wav', speechFile());
    const { code, stdout, stderr } = await run(['transcribe', path, '--out', out]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: 'Speaker 0    00:00:00    W4 w7. W9.\n' });
    expect(stderr).toContain('no space left on the device');
  });

  test('says that a job continues only while it does', async () => {
    const begun = { id: 'a1', created_on: '2026-01-01T00:00:00.000Z', type: 'async', status: 'in_progress' };
    const forgetful = await startHttpService(({ method }) =>
      method === 'POST' ? { json: begun } : { status: 404, json: { title: 'could not find job' } },
    );
    const path = await file('speech.wav', speechFile());
    const { code, stderr } = await run(['transcribe', path, '--url', forgetful.url]);
    expect(code).toBe(5);
    expect(stderr).toContain('could not find job');
    expect(stderr).not.toContain('continues');
  });

  test('takes standard input, and media at an address', async () => {
    const media = await startHttpService(() => ({ bytes: speechFile() }));
    const [piped, fetched] = await Promise.all([
      run(['transcribe', '-'], { stdin: Buffer.from(speechFile()) }),
      run(['transcribe', `${media.url}/a.wav?secret=1`]),
    ]);
    for (const { code, stdout, stderr } of [piped, fetched]) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('W4 w7. W9.');
    }
  });

  test('prints the id alone, and leaves the job to the service', async () => {
    const path = await file('speech.wav', speechFile());
    const { code, stdout } = await run(
      cli`transcribe ${path} --no-wait --metadata ${'for later'} --delete-after-seconds 60
        --notify http://127.0.0.1:1/`,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\w{12,16}\n$/);
    const { transcription } = clientOf();
    expect(await transcription.waitFor(stdout.trim())).toMatchObject({
      name: 'speech.wav',
      metadata: 'for later',
      deleteAfterSeconds: 60,
      notificationConfig: { url: 'http://127.0.0.1:1/' },
    });
  });
});

describe('identify', () => {
  test('prints languages, best first', async () => {
    const path = await file('speech.wav', speechFile([2, 2, 2, 1]));
    const [text, json] = await Promise.all([
      run(['identify', path]),
      run(['identify', path, '--format', 'json']),
    ]);
    expect(text).toEqual({ code: 0, stdout: 'de\t0.75\nen\t0.25\n', stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual({
      top_language: 'de',
      language_confidences: [
        { language: 'de', confidence: 0.75 },
        { language: 'en', confidence: 0.25 },
      ],
    });
  });
});

describe('align', () => {
  test('prints words with their times', async () => {
    const path = await file('speech.wav', speechFile());
    const words = await file('words.txt', 'w4 w7\nw8 w9\n');
    const text = await run(['align', path, '--text', words]);
    expect(text).toEqual({
      code: 0,
      stdout: '0.00\t0.10\tw4\n0.10\t0.20\tw7\n\t\tw8\n0.50\t0.60\tw9\n',
      stderr: '',
    });
    const json = await run(['align', path, '--text', '-', '--format', 'json'], { stdin: Buffer.from('w9') });
    expect(JSON.parse(json.stdout)).toMatchObject({
      monologues: [{ speaker: 0, elements: [{ type: 'text', value: 'w9', ts: 0.5, end_ts: 0.6 }] }],
    });
  });
});

describe('a text file', () => {
  const cues = ['00:00:00,000 --> 00:00:00,500\n<b>w4 w7</b>', '00:00:01,000 --> 00:00:02,000\nw9'];
  const SRT = cues.map((cue, at) => `${at + 1}\n${cue}\n`).join('\n');
  const PAGE = '<!DOCTYPE html><p>w4 w7 w9</p>\n';

  test.each([
    ['subtitles', 'words.srt', SRT],
    ['subtitles, whatever their name,', 'words.txt', SRT],
    ['a transcript', 'words.txt', 'Speaker 0    00:00:01    w4 w7\nSpeaker 1    00:00:03    w9\n'],
    [
      'a transcript in JSON',
      'words.json',
      '{"monologues":[{"speaker":0,"elements":[{"type":"text","value":"w4 w7 w9"}]}]}',
    ],
    ['UTF-16', 'words.txt', Buffer.from('\uFEFFw4 w7\nw9\n', 'utf16le')],
  ])('with %s is aligned by its words', async (_, name, content) => {
    const path = await file('speech.wav', speechFile());
    const { code, stdout, stderr } = await run(['align', path, '--text', await file(name, content)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').map(line => line.split('\t').at(-1))).toEqual(['w4', 'w7', 'w9', '']);
  });

  test('with subtitles may come from standard input', async () => {
    const path = await file('speech.wav', speechFile());
    const { stdout } = await run(['align', path, '--text', '-'], { stdin: Buffer.from(SRT) });
    expect(stdout).not.toMatch(/-->|<b>/);
  });

  test.each([
    ['a page', 'words.txt', PAGE, /found XML or HTML/],
    ['a page', 'words.html', PAGE, /found XML or HTML/],
    ['messages', 'words.jsonl', '{"type":"final"}\n{"type":"final"}\n', /found JSON Lines/],
    ['bytes', 'words.txt', Buffer.from([0x50, 0x4b, 0xff, 0xfe]), /it is not text in UTF-8/],
  ])('with %s is not aligned: %s', async (_, name, content, message) => {
    const path = await file('speech.wav', speechFile());
    const text = await file(name, content);
    const { code, stderr } = await run(['align', path, '--text', text]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(message) });
    expect(stderr).toContain(`Cannot read '${text}': `);
  });

  test('of another format has no phrases', async () => {
    for (const content of [SRT, PAGE]) {
      const { code, stderr } = await run(['vocabulary', 'submit', await file('words.txt', content)]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(
          /expected one phrase a line or JSON, found (?:SubRip|XML or HTML)\.\n$/,
        ),
      });
    }
  });

  test('has phrases in UTF-16, and in JSON without that name', async () => {
    for (const content of [Buffer.from('\uFEFFAnna Ågren\n', 'utf16le'), '[{"phrases": ["Anna"]}]']) {
      expect(await run(['vocabulary', 'submit', await file('words', content)])).toMatchObject({ code: 0 });
    }
  });

  test('with subtitles is scored by its sentences', async () => {
    const path = await file('talk.srt', SRT.replace('w9', 'All is good.'));
    const { stdout } = await run(['sentiment', '--text', path]);
    expect(stdout).toContain('All is good.');
    expect(stdout).not.toMatch(/-->|<b>|00:00/);
  });
});

describe('sentiment', () => {
  const TEXT = 'All is good. This is bad.';
  const EXPECTED = 'positive\t0.40\tAll is good.\nnegative\t-0.40\tThis is bad.\n';

  test('prints sentences with their scores, of a text, a file or standard input', async () => {
    const path = await file('text.txt', TEXT);
    const results = await Promise.all([
      run(['sentiment', '--text', TEXT]),
      run(['sentiment', '--text', path]),
      run(['sentiment', '--text', '-'], { stdin: Buffer.from(TEXT) }),
    ]);
    for (const result of results) expect(result).toEqual({ code: 0, stdout: EXPECTED, stderr: '' });
  });

  test('has the times of a transcript, and leaves out other sentiments', async () => {
    const elements = [
      { type: 'text', value: 'Good', ts: 1, end_ts: 2 },
      { type: 'punct', value: '. ' },
      { type: 'text', value: 'Bad', ts: 3, end_ts: 4 },
      { type: 'punct', value: '.' },
    ];
    const path = await file('talk.json', JSON.stringify({ monologues: [{ speaker: 0, elements }] }));
    const options = ['--format', 'json', '--filter-for', 'negative'];
    const { code, stdout } = await run(['sentiment', '--text', path, ...options]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      messages: [{ content: 'Bad.', score: -0.4, sentiment: 'negative', ts: 3, end_ts: 4 }],
    });
  });

  test('exits with 3 for a file that is not text', async () => {
    const path = await file('talk.txt', speechFile());
    const { code, stderr } = await run(['sentiment', '--text', path]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('UTF-8') });
  });

  test('exits with 2 for an invalid transcript', async () => {
    const path = await file('talk.json', '{"words":["secret"]}');
    const { code, stderr } = await run(['sentiment', '--text', path]);
    expect(code).toBe(2);
    expect(stderr).not.toContain('secret');
  });
});

describe('job', () => {
  test('get warns of options that had no effect', async () => {
    const options = { strictCustomVocabulary: true, houseStyle: true };
    const media = { data: speechFile(), name: 'speech.wav' };
    const { id, ignoredOptions } = await clientOf().transcription.submit(media, options);
    expect(ignoredOptions).toEqual(['strict_custom_vocabulary', 'houseStyle']);
    const { stdout, stderr } = await run(['job', 'get', id]);
    expect(stderr).toBe(`warning: options without effect on the job: ${ignoredOptions!.join(', ')}\n`);
    expect(JSON.parse(stdout)).toMatchObject({ ignored_options: ignoredOptions });
  });

  test('get, like the submission, warns of media that was read in part', async () => {
    const path = await file('speech.wav', Buffer.concat([speechFile(), Buffer.from('something else')]));
    const message = 'The WAV audio is followed by 14 bytes that could not be read.';
    const transcribed = await run(['transcribe', path]);
    expect([transcribed.code, transcribed.stderr]).toEqual([0, `warning: ${message}\n`]);
    const [{ id } = { id: '' }] = await clientOf().transcription.list({ limit: 1 });
    for (const area of ['transcription', 'legacy']) {
      const { stdout, stderr } = await run(['job', 'get', id, '--area', area]);
      expect(stderr).toBe(`warning: ${message}\n`);
      expect(JSON.parse(stdout)).toMatchObject({ warnings: [message] });
    }
    const intact = await run(['job', 'get', await endedJob()]);
    expect([intact.stderr, intact.stdout]).toEqual(['', expect.not.stringContaining('warnings')]);
  });

  test('get and list print jobs as JSON for other programs', async () => {
    const ids = [await endedJob(), await endedJob()].reverse();
    const get = await run(['job', 'get', ids[0]!]);
    expect(jsonLines(get.stdout)).toEqual([
      expect.objectContaining({ id: ids[0], type: 'async', status: 'transcribed', metadata: 'a "b"\tc' }),
    ]);
    expect(jsonLines(get.stdout)[0].created_on).toMatch(/Z$/);
    const list = await run(['job', 'list', '--limit', '2']);
    expect(jsonLines(list.stdout).map(({ id }) => id)).toEqual(ids);
    const after = await run(['job', 'list', '--starting-after', ids[0]!, '--limit', '1']);
    expect(jsonLines(after.stdout).map(({ id }) => id)).toEqual([ids[1]]);
    const all = await run(['job', 'list', '--all', '--area', 'legacy']);
    expect(jsonLines(all.stdout).length).toBeGreaterThanOrEqual(2);
    expect(jsonLines(all.stdout)[0]).not.toHaveProperty('type');
  });

  test('transcript prints the form of the service', async () => {
    const id = await endedJob();
    const { transcription } = clientOf();
    const [text, srt, vtt, json] = await Promise.all(
      ['text', 'srt', 'vtt', 'json'].map(format => run(['job', 'transcript', id, '--format', format])),
    );
    expect(text!.stdout).toBe(await transcription.transcriptText(id));
    expect(srt!.stdout).toBe(await transcription.captions(id));
    expect(vtt!.stdout).toBe(await transcription.captions(id, { format: 'vtt' }));
    expect(JSON.parse(json!.stdout)).toMatchObject({ monologues: [{ elements: expect.any(Array) }] });
  });

  test('transcript takes the captions of one channel', async () => {
    const taken = await startHttpService(() => ({ text: 'WEBVTT\n' }));
    const args = ['job', 'transcript', 'a1', '--format', 'vtt', '--speaker-channel', '1'];
    const { stdout } = await run(args, { env: { RXSCRIBE_URL: taken.url } });
    expect(stdout).toBe('WEBVTT\n');
    expect(taken.requests[0]!.url).toBe('/speechtotext/v1/jobs/a1/captions?speaker_channel=1');
  });

  test('delete prints nothing, and deletes for good', async () => {
    const ids = [await endedJob(), await endedJob()];
    expect(await run(['job', 'delete', ...ids])).toEqual({ code: 0, stdout: '', stderr: '' });
    const again = await run(['job', 'delete', ids[0]!]);
    expect(again).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('404') });
  });
});

describe('vocabulary', () => {
  test('submit accepts a byte order mark', async () => {
    for (const [name, text] of [
      ['phrases.json', '["hello world"]'],
      ['phrases.txt', 'hello world\n'],
    ] as const) {
      const path = await file(name, `\uFEFF${text}`);
      expect(await run(['vocabulary', 'submit', path])).toMatchObject({ code: 0 });
    }
  });

  test('submit, list, get and delete work as documented', async () => {
    const words = await file('words.json', JSON.stringify([{ phrases: ['Rx Scribe'] }, 'PGlite']));
    const submit = await run(['vocabulary', 'submit', words, '--metadata', 'names']);
    expect(submit).toMatchObject({ code: 0, stderr: '' });
    const [vocabulary] = jsonLines(submit.stdout);
    expect(vocabulary).toMatchObject({
      id: expect.stringMatching(/^cv/),
      status: 'complete',
      metadata: 'names',
    });
    const { id } = vocabulary;
    const [list, get] = await Promise.all([run(['vocabulary', 'list']), run(['vocabulary', 'get', id])]);
    expect(jsonLines(list.stdout).map(record => record.id)).toContain(id);
    expect(jsonLines(get.stdout)).toEqual([vocabulary]);

    const path = await file('speech.wav', speechFile());
    await run(['transcribe', path, '--custom-vocabulary-id', id]);
    expect(recognizer.opened.at(-1)).toMatchObject({ phrases: ['Rx Scribe', 'PGlite'] });

    expect(await run(['vocabulary', 'delete', id])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await run(['vocabulary', 'get', id])).toMatchObject({ code: 5 });
  });

  test.each([
    ['are none', 'words.txt', '\n\n', 2],
    ['are too long', 'words.txt', 'word '.repeat(13), 2],
    ['are no JSON', 'words.json', 'Rx Scribe', 2],
    ['cannot be read', undefined, '', 3],
  ])('submit asks nothing of the service when the phrases %s', async (_, name, content, exitCode) => {
    const path = name ? await file(name, content) : '/nowhere/words.txt';
    const { code, stderr } = await run(['vocabulary', 'submit', path]);
    expect({ code, stderr }).toEqual({ code: exitCode, stderr: expect.stringMatching(/^error: .*\n$/) });
  });
});
