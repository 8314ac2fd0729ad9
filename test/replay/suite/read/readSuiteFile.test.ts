import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSuite } from '../../../../src/replay/suite/read/readSuite.ts';
import type { SuiteFlags } from '../../../../src/replay/suite/suite.ts';
import { CASSETTE_HEADER, suiteFolder } from '../suiteFolder.ts';

const FILES = {
  'talk.wav': 'x',
  'talk.txt': 'hello',
  'call.cassette.jsonl': CASSETTE_HEADER,
  'other.vtt': 'x',
};

const WHOLE = `
name: calls
url: https://speech.example.org
concurrency: 2
seed: 7
thresholds: { wer: 30%, coverage: 0.99, delay.final.p95: { max: 2 } }
defaults:
  language: fr
  speed: max
  query: { detailed_partials: true, metadata: all }
  thresholds: { wer: 0.5 }
cases:
  - audio: talk.wav
    keywords: [Dashwood, Norland Park]
    rules: plain-1
    query: { metadata: mine, custom_vocabularies: [{ phrases: [Dashwood] }] }
    thresholds: { cer: 10% }
  - name: cut
    cassette: call.cassette.jsonl
    reference: other.vtt
    language: en
    speed: 4
    faults: [[{ kind: cut, after_seconds: 3 }, { kind: delay, ms: 200, jitter_ms: 50 }], [{ kind: refuse }]]
  - cassette: call.cassette.jsonl
`;

async function read(text: string, flags: SuiteFlags = {}, name = 'suite.yaml') {
  const directory = await suiteFolder({ ...FILES, [name]: text });
  return { directory, suite: await readSuite([join(directory, name)], flags) };
}

/** Returns the faults of a suite, without the directory. */
async function faultsOf(text: string, name?: string): Promise<readonly string[]> {
  const error: { faults?: readonly string[]; message: string } = await read(text, {}, name).then(
    () => ({ message: 'expected faults, found none' }),
    thrown => thrown,
  );
  const { faults = [error.message] } = error;
  return faults.map(fault => fault.replace(/^.*\/suite\.(yaml|json):/, ''));
}

describe('a suite file', () => {
  test('has its cases with all their settings', async () => {
    const { directory, suite } = await read(WHOLE);
    expect(suite).toMatchObject({
      name: 'calls',
      url: 'https://speech.example.org',
      concurrency: 2,
      seed: 7,
      thresholds: { wer: { max: 0.3 }, coverage: { min: 0.99 }, 'delay.final.p95': { max: 2 } },
    });
    expect(suite.cases).toEqual([
      {
        name: 'talk',
        input: { kind: 'audio', path: join(directory, 'talk.wav') },
        reference: join(directory, 'talk.txt'),
        language: 'fr',
        rules: 'plain-1',
        query: {
          detailedPartials: true,
          metadata: 'mine',
          customVocabularies: [{ phrases: ['Dashwood'] }],
        },
        speed: 'max',
        service: 'service',
        faults: [],
        keywords: ['Dashwood', 'Norland Park'],
        thresholds: { wer: { max: 0.5 }, cer: { max: 0.1 } },
      },
      {
        name: 'cut',
        input: { kind: 'cassette', path: join(directory, 'call.cassette.jsonl') },
        reference: join(directory, 'other.vtt'),
        language: 'en',
        query: { detailedPartials: true, metadata: 'all' },
        speed: 4,
        // A case with faults needs a playing service.
        service: 'cassette',
        faults: [
          [
            { kind: 'cut', afterSeconds: 3 },
            { kind: 'delay', ms: 200, jitterMs: 50 },
          ],
          [{ kind: 'refuse' }],
        ],
        keywords: [],
        thresholds: { wer: { max: 0.5 } },
      },
      expect.objectContaining({ name: 'call', service: 'service', speed: 'max' }),
    ]);
  });

  test('has defaults for everything but its cases', async () => {
    const { suite } = await read('cases:\n  - cassette: call.cassette.jsonl\n');
    expect(suite).toMatchObject({
      name: 'suite',
      concurrency: 1,
      seed: 1,
      thresholds: {},
    });
    expect(suite.url).toBeUndefined();
    expect(suite.cases[0]).toEqual({
      name: 'call',
      input: expect.anything(),
      query: {},
      speed: 1,
      service: 'cassette',
      faults: [],
      keywords: [],
      thresholds: {},
    });
  });

  test('sends cassettes to the service that it or a flag names, but not to one for audio alone', async () => {
    const flags = { url: 'http://127.0.0.1:1', isUrlForAudio: true };
    const cases = 'cases:\n  - cassette: call.cassette.jsonl\n';
    const service = async (text: string, given: SuiteFlags) => {
      const { suite } = await read(text, given);
      return [suite.url, suite.cases[0]!.service];
    };
    expect(await service(cases, { url: flags.url })).toEqual([flags.url, 'service']);
    expect(await service(cases, flags)).toEqual([flags.url, 'cassette']);
    expect(await service(`${cases}    service: service\n`, flags)).toEqual([flags.url, 'service']);
    expect(await service(`url: http://127.0.0.1:2\n${cases}`, flags)).toEqual([flags.url, 'service']);
  });

  test('may be JSON', async () => {
    const { suite } = await read('{"name":"j","cases":[{"audio":"talk.wav"}]}', {}, 'suite.json');
    expect(suite).toMatchObject({ name: 'j', cases: [{ name: 'talk' }] });
  });

  test('is overridden by the command line', async () => {
    const flags = {
      language: 'de',
      speed: 2,
      rules: 'unicode-1',
      keywords: ['Elinor'],
      concurrency: 9,
      thresholds: { wer: { max: 0.1 } },
      url: 'http://127.0.0.1:8080',
    } as const;
    const { suite } = await read(WHOLE, flags);
    expect(suite).toMatchObject({
      url: 'http://127.0.0.1:8080',
      concurrency: 9,
      thresholds: { wer: { max: 0.1 }, coverage: { min: 0.99 } },
    });
    const { language, speed, rules, keywords } = flags;
    for (const each of suite.cases) expect(each).toMatchObject({ language, speed, rules, keywords });
  });

  test('reports all faults at once, with line, column, expected and found value', async () => {
    const text = `nmae: calls
concurrency: 0
thresholds: { were: 1, wer: much, cer: { maximum: 3 }, coverage: 99 }
defaults:
  speed: fast
  query: { detailed_partial: true, enable_speaker_switch: yes, start_ts: -1 }
cases:
  - audio: 3
    keywords: [1]
    faults: [[{ kind: cut, afterseconds: 3 }, { kind: delay }, { kind: cutt }]]
  - talk.wav
`;
    expect(await faultsOf(text)).toEqual([
      '1:1 nmae: unknown key "nmae"; did you mean name?',
      '2:14 concurrency: expected an integer from 1 to 1000, found 0',
      '3:15 thresholds.were: unknown key "were"; did you mean wer?',
      '3:29 thresholds.wer: expected a number up to 1 or a percentage (the maximum), or min and max, found "much"',
      '3:42 thresholds.cer.maximum: unknown key "maximum"; known are min, max',
      '3:66 thresholds.coverage: expected a number up to 1 or a percentage (the minimum), or min and max, found 99',
      '5:10 defaults.speed: expected a number above 0 to 1000 or max, found "fast"',
      '6:12 defaults.query.detailed_partial: unknown key "detailed_partial"; did you mean detailed_partials?',
      '6:59 defaults.query.enable_speaker_switch: expected true or false, found "yes"',
      '6:74 defaults.query.start_ts: expected a number from 0 to 100000000000, found -1',
      '8:12 cases[0].audio: expected the path of a file, found 3',
      '9:16 cases[0].keywords[0]: expected text of at most 4096 characters, found 1',
      '10:28 cases[0].faults[0][0].afterseconds: unknown key "afterseconds"; did you mean after_seconds?',
      '10:47 cases[0].faults[0][1]: expected ms, found none',
      '10:72 cases[0].faults[0][2].kind: expected cut, half-open, delay, reorder, duplicate, drop, close, slow-start, stall, throttle, refuse or http-status, found "cutt"',
      '11:5 cases[1]: expected a case with audio or cassette, found "talk.wav"',
    ]);
  });

  test('names the key that takes a cassette', async () => {
    expect(await faultsOf('cases: [{ audio: call.cassette.jsonl }]')).toEqual([
      '1:18 cases[0].audio: expected audio, found a cassette: call.cassette.jsonl; set cassette instead',
    ]);
  });

  test('reports contradicting options and missing files', async () => {
    const text = `
defaults: { rules: engrish, query: { custom_vocabulary_id: a, custom_vocabularies: [{ phrases: [b] }] } }
cases:
  - audio: none.wav
    reference: .
  - audio: talk.wav
    cassette: call.cassette.jsonl
  - {}
  - audio: talk.wav
    faults: [[{ kind: cut }]]
  - cassette: call.cassette.jsonl
    service: service
    faults: [[{ kind: cut }]]
    language: '!!'
`;
    expect(await faultsOf(text)).toEqual([
      expect.stringMatching(/^2:20 defaults\.rules: .*engrish/),
      expect.stringMatching(/^2:36 defaults\.query: .*cannot be combined/),
      '4:12 cases[0].audio: expected a file, found none: none.wav',
      '5:16 cases[0].reference: expected a file, found a directory: .',
      '6:5 cases[1]: expected either audio or cassette, found both',
      '8:5 cases[2]: expected either audio or cassette, found neither',
      "14:15 cases[4].language: '!!' is not a language tag such as en, de or zh-TW",
      '11:5 cases[4]: expected a unique name, found that of cases[1]: call; set name',
    ]);
  });

  test('names the fault once that is of an unknown kind', async () => {
    const faults = '[[{ kind: jam, bytes_per_second: 9, after_seconds: 1 }]]';
    const text = `cases: [{ cassette: call.cassette.jsonl, faults: ${faults} }]`;
    expect(await faultsOf(text)).toEqual([
      expect.stringMatching(/^1:\d+ .*\.kind: expected cut, .*found "jam"$/),
    ]);
  });

  test('gives faults to audio and to cassettes that a service answers', async () => {
    const text =
      'defaults: { faults: [[{ kind: cut }]] }\n' +
      'cases: [{ audio: talk.wav }, { cassette: call.cassette.jsonl, service: service }, { cassette: call.cassette.jsonl, name: none, faults: [] }]';
    const { suite } = await read(text);
    expect(suite.cases.map(({ faults, service }) => [faults, service])).toEqual([
      [[[{ kind: 'cut' }]], 'service'],
      [[[{ kind: 'cut' }]], 'service'],
      [[], 'cassette'],
    ]);
  });

  test.each([
    ['wss://speech.example.org/?access_token=secret', /1:6 url: expected an address without a token/],
    ['https://me:secret@speech.example.org', /expected an address without a token/],
    ['ftp://speech.example.org', /url: .*must be an absolute URL/],
  ])('with the address %s is refused without revealing its secret', async (url, message) => {
    const faults = (await faultsOf(`url: ${url}\ncases: [{ audio: talk.wav }]`)).join();
    expect(faults).toMatch(message);
    expect(faults).not.toContain('secret');
  });

  test.each([
    ['nothing', '', /expected a suite with cases, found nothing/],
    ['a list', '[1]', /expected a suite with cases, found a list of 1/],
    ['no cases', 'name: x', /1:1 expected cases, found none/],
    ['an empty list of cases', 'cases: []', /1:8 cases: expected a list of at least 1, found a list of 0/],
    ['broken YAML', 'cases: [', /1:9 /],
    ['a key twice', 'name: a\nname: b\ncases: []', /2:1 .*unique/],
    ['a tag', 'name: !danger x', /1:7 .*tag/],
    ['JSON that is cut', '{"cases":[', /1:11 /],
    ['an alias of nothing', 'name: *who', /who/],
    ['several documents', 'name: a\n---\nname: b', /documents/],
    ['a merged key', 'a: &a { name: x }\n<<: *a\ncases: []', /unknown key "<<"/],
  ])('of %s is refused with its place', async (_, text, message) => {
    expect((await faultsOf(text)).join('\n')).toMatch(message);
  });

  test('that grows by its aliases is refused quickly', async () => {
    const rows = Array.from({ length: 12 }, (_, at) =>
      at === 0
        ? 'x0: &x0 [1, 2]'
        : `x${at}: &x${at} [${Array(9)
            .fill(`*x${at - 1}`)
            .join(', ')}]`,
    );
    expect((await faultsOf(rows.join('\n'))).join()).toMatch(/alias/i);
  });

  test('that is extremely nested is refused with a limited list of faults', async () => {
    for (const text of ['[', '{a: ', '? ', '&a *a '].map(piece => piece.repeat(5000))) {
      const directory = await suiteFolder({ 'suite.yaml': text });
      const error = await readSuite([join(directory, 'suite.yaml')]).catch(thrown => thrown);
      expect(error).toMatchObject({ code: 'invalid-argument', name: 'SuiteFileError' });
      expect(error.message.split('\n').length).toBeLessThanOrEqual(102);
    }
  });

  test('that is too large is not read', async () => {
    expect((await faultsOf(`name: x${' '.repeat(1 << 20)}`)).join()).toMatch(/may have 1048576 at most/);
  });

  test('that does not exist is unreadable', async () => {
    await expect(readSuite(['/nowhere/suite.yaml'])).rejects.toMatchObject({ code: 'unreadable-input' });
  });
});
