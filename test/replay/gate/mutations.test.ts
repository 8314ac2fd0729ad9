import { describe, expect, test } from 'vitest';
import { type Change, isFinal, isPartial, judged, type Line, line, messages, word, words } from './scene.ts';

const removed = (is: (line: Line) => boolean, which: number) => line(is, which, () => []);
const typed = (type: string) => (each: Line) => each.type === type;
const settings =
  (text: string): Change =>
  ({ settings }) => ({ settings: `${settings}, ${text}` });
const instead =
  (settings: string): Change =>
  () => ({ settings });
const suite =
  (text: string): Change =>
  ({ suite }) => ({ suite: `${suite}\n${text}` });
const flags =
  (...flags: readonly string[]): Change =>
  () => ({ flags });
const reference =
  (to: (text: string) => string): Change =>
  ({ reference }) => ({ reference: to(reference) });
const text =
  (to: (text: string) => string): Change =>
  ({ lines }) => ({
    text: to(lines.map(each => `${JSON.stringify(each)}\n`).join('')),
  });
const later =
  (ms: number): Change =>
  ({ lines }) => {
    const sorted = lines
      .map(each => (isFinal(each) ? { ...each, ms: each.ms! + ms } : each))
      .sort((one, other) => (one.ms ?? 0) - (other.ms ?? 0));
    let frame = 0;
    const moved = sorted.map(each => {
      if (!isFinal(each)) frame = Math.max(frame, Number(each.frame ?? 0));
      return isFinal(each) ? { ...each, frame } : each;
    });
    const end = moved.findIndex(({ type }) => type === 'close');
    const early = moved.filter((each, index) => index < end || !isFinal(each));
    const late = moved.filter((each, index) => index > end && isFinal(each));
    // The service closes the stream after its last final.
    return {
      lines: [
        ...early.slice(0, end),
        ...late.map(each => ({ ...each, ms: moved[end]!.ms! })),
        ...early.slice(end),
      ],
    };
  };
const withoutTimes = (which: number) =>
  words(which, all => all.map(({ ts: _, end_ts: __, ...rest }) => rest));
/** Lets the final of a number be dropped. */
const dropped =
  (which: number): Change =>
  scene => {
    const messages = scene.lines.filter(typed('message'));
    const before = messages.indexOf(messages.filter(isFinal)[which]!);
    return settings(`faults: [[{ kind: drop, after_messages: ${before} }]]`)(scene);
  };
/** Both changes, the second one after the first. */
const both =
  (one: Change, other: Change): Change =>
  scene => {
    const first = one(scene);
    return { ...first, ...other({ ...scene, ...first }) };
  };

/** Name, change, exit code and reason. */
type Red = readonly [string, Change, number, RegExp];

const DAMAGED: readonly Red[] = [
  ...[0, 1, 2, 3, 4].map(
    (which): Red => [`final ${which} is missing`, removed(isFinal, which), 6, /the final of the words from/],
  ),
  [
    'all finals are missing',
    ({ lines }) => ({ lines: lines.filter(each => !isFinal(each)) }),
    6,
    /the final of the words from/,
  ],
  ['finals have an unknown type', messages(isFinal, { type: 'finall' }), 6, /unknown type 'finall'/],
  ['partials have an unknown type', messages(isPartial, { type: 'part' }), 6, /unknown type 'part'/],
  ['its end is missing', removed(typed('end'), 0), 6, /its end is missing/],
  ['it was cut in half', text(all => all.slice(0, all.length / 2)), 6, /its end is missing|the final/],
  ['a line is no JSON', text(all => all.replace('{"type":"opened"', '{"type":opened"')), 6, /line 6/],
  ['its header is missing', ({ lines }) => ({ lines: lines.slice(1) }), 6, /cassette/],
  ['its version is unknown', line(typed('cassette'), 0, each => ({ ...each, version: 99 })), 6, /version 99/],
  ['its audio is missing', () => ({ audio: undefined }), 6, /wav/],
  ['its audio is cut', ({ audio }) => ({ audio: audio!.subarray(0, 400_000) }), 6, /wav|audio/],
  [
    'its audio is another one',
    ({ audio }) => ({ audio: Buffer.concat([audio!.subarray(0, 44), Buffer.alloc(audio!.length - 44, 1)]) }),
    6,
    /audio/,
  ],
  [
    'no final has times of words',
    both(
      withoutTimes(0),
      both(withoutTimes(1), both(withoutTimes(2), both(withoutTimes(3), withoutTimes(4)))),
    ),
    6,
    /delay\.final\.p95 has no value/,
  ],
  ['a final comes before its words', later(-6000), 6, /✘ delay\.final\.p95 -\d\.\d+ s is impossible/],
  [
    'it was closed with an error',
    line(typed('close'), 0, each => ({ ...each, code: 4013, reason: 'No recogniser' })),
    6,
    /reconnects 1 is above 0/,
  ],
  [
    'its query has another format',
    line(typed('connect'), 0, each => ({ ...each, query: { content_type: 'audio/x-wav' } })),
    6,
    /./,
  ],
];

const WORSE: readonly Red[] = [
  ['a keyword is wrong', word('Dashwood', 'Dashboard'), 6, /keywords\.recall 0\.00 %/],
  [
    'a final has four wrong words',
    words(1, all => all.map(each => (each.type === 'text' ? { ...each, value: 'x' } : each))),
    6,
    /wer \d+\.\d+ % is above 5/,
  ],
  ['a final lost its words', words(1, all => all.filter(({ type }) => type !== 'text')), 6, /wer/],
  ['a final has invented words', words(2, all => [...all, ...all, ...all]), 6, /wer/],
  [
    'the reference has another sentence',
    reference(said => `${said} and so she went home to her mother and her sisters`),
    6,
    /wer/,
  ],
  ['the finals are late', later(4000), 6, /delay\.final\.p95 .* is above 2\.00 s: '/],
  [
    'the connection breaks',
    settings('faults: [[{ kind: cut, after_seconds: 5 }]]'),
    6,
    /reconnects 1 is above 0/,
  ],
  ['a final is dropped', dropped(2), 6, /wer \d+\.\d+ % is above 5/],
  ['the service refuses the token', settings('faults: [[{ kind: http-status, status: 401 }]]'), 6, /401/],
  [
    'the service closes the stream for lack of credit',
    settings('faults: [[{ kind: close, code: 4003, after_seconds: 5 }]]'),
    6,
    /4003/,
  ],
  ['an expected error does not come', settings('expect: { close: 4003 }'), 6, /expected close code 4003/],
  [
    'a fault comes after the end',
    settings('faults: [[{ kind: cut, after_seconds: 60 }]]'),
    6,
    /never took place/,
  ],
  [
    'a fault is of a connection that is never made',
    settings('faults: [[], [{ kind: cut, after_seconds: 1 }]]'),
    6,
    /never took place/,
  ],
  ['a delay has no value at full speed', settings('speed: max'), 6, /delay\.final\.p95 has no value/],
];

const WRONG: readonly Red[] = [
  [
    'a limit of keywords that nobody spoke',
    instead('keywords: [banana], thresholds: { keywords.recall: 100% }'),
    6,
    /keywords\.recall has no value .*: the reference has none of the keywords/,
  ],
  ['an unknown key', settings('speeed: 2'), 2, /did you mean speed\?/],
  ['an unknown setting of the suite', suite('tolerance: { wer: 1 }'), 2, /tolerance/],
  ['a rate above 1', settings('x: 1'), 2, /unknown key/],
  ['a limit that is no number', flags('--max-wer', 'low'), 2, /limit of 'wer' must be a number/],
  ['an unknown measure of a flag', flags('--threshold', 'wrr=1'), 2, /wrr/],
  ['an unknown fault', settings('faults: [[{ kind: explode }]]'), 2, /kind/],
  ['an unknown rule set', settings('rules: english-9'), 2, /english-9/],
  ['an unknown language', settings('language: xx-yy-zz'), 2, /language/],
  ['a reference that does not exist', instead('name: talk, expect: { http: 200 }'), 2, /http/],
  ['an address with a token', suite('url: wss://speech.example.org?access_token=1'), 2, /token/],
  ['a suite that is no YAML', suite('  : : ['), 2, /suite/],
  ['a model for a cassette', flags('--model', 'none'), 2, /no effect/],
  ['a pause for a cassette', flags('--pause', '0.3'), 2, /no effect/],
  ['an engine for a cassette', flags('--engine', 'moonshine'), 2, /no effect/],
  ['a token without a service', flags('--token', 'x'), 2, /--token requires/],
  ['a report of an unknown kind', flags('--report', 'DIR/report.pdf'), 2, /report/],
  ['a baseline that does not exist', flags('--baseline', 'DIR/none.json'), 3, /baseline/],
  ['an update without a baseline', flags('--update'), 2, /--baseline/],
  ['equivalences that do not exist', flags('--equivalences', 'DIR/none.txt'), 3, /none\.txt/],
  [
    'equivalences with a wrong line',
    scene => ({ ...flags('--equivalences', 'DIR/same.txt')(scene), files: { 'same.txt': 'a\n' } }),
    2,
    /same\.txt/,
  ],
];

const CHANGED: readonly Red[] = [
  ['a word is newly wrong', word('rather', 'later'), 6, /newly wrong: .*later/],
  [
    'a word is newly missing',
    words(0, all => all.filter(({ value }) => value !== 'leisure')),
    6,
    /newly wrong: .*leisure/,
  ],
  [
    'a word is wrong, and the limit is loose',
    both(word('rather', 'later'), flags('--max-wer', '50%')),
    6,
    /newly wrong/,
  ],
  ['the reference has changed', reference(said => said.replace('mister', 'mrs')), 6, /reference changed/],
  ['the rules have changed', settings('rules: plain-1'), 6, /rules changed/],
  ['the speed has changed', settings('speed: 2'), 6, /speed changed/],
  ['the case has another name', settings('name: other'), 6, /not measured now/],
  ['the finals came half a second later', later(500), 6, /delay\.final\.p50 was/],
  ['messages came 50 ms later', settings('faults: [[{ kind: delay, ms: 50 }]]'), 6, /delay\.final\.p50 was/],
  ['a recording has holes', words(4, all => all.filter(({ type }) => type !== 'text')), 6, /./],
];

const HARMLESS: readonly (readonly [string, Change])[] = [
  ['nothing', () => ({})],
  [
    'another date of the recording',
    line(typed('cassette'), 0, each => ({ ...each, recorded_at: '2020-01-01T00:00:00Z' })),
  ],
  [
    'other versions of programs',
    line(typed('cassette'), 0, each => ({ ...each, software: { rxscribe: '0.0.1' } })),
  ],
  ['an unknown field of a line', line(typed('opened'), 0, each => ({ ...each, note: 'x' }))],
  ['an unknown field of a message', messages(isFinal, { note: 'x' })],
  ['no statuses', ({ lines }) => ({ lines: lines.filter(({ type }) => type !== 'status') })],
  ['no events', ({ lines }) => ({ lines: lines.filter(({ type }) => type !== 'event') })],
  ['no first partial', removed(isPartial, 0)],
  ['no last partial', removed(isPartial, -1)],
  ['a doubled partial', line(isPartial, 3, each => [each, each])],
  ['lines that end as on Windows', text(all => all.replaceAll('\n', '\r\n'))],
  ['no line feed at the end', text(all => all.trimEnd())],
  ['an empty line at the end', text(all => `${all}\n`)],
  ['another case of the reference', reference(said => said.toUpperCase())],
  ['punctuation in the reference', reference(said => said.replaceAll('\n', '.\n'))],
  ['a filler in the reference', reference(said => said.replace('he was', 'um he was'))],
  ['spaces at the ends of lines of the reference', reference(said => said.replaceAll('\n', '  \n'))],
  ['a hyphen in the reference', reference(said => said.replace('cold hearted', 'cold-hearted'))],
  ['lines that end as on Windows in the reference', reference(said => said.replaceAll('\n', '\r\n'))],
  ['a byte order mark in the reference', reference(said => `\uFEFF${said}`)],
  ['a name of a speaker in the reference', reference(said => said.trim().replaceAll(/^/gm, 'Reader: '))],
  ['one line in the reference', reference(said => said.replaceAll('\n', ' '))],
  ['a comment in the suite', suite('# a comment')],
  ['a description of its default', suite('concurrency: 1')],
  ['another seed', suite('seed: 7')],
  ['looser limits', flags('--max-wer', '50%')],
  ['a limit as a number', flags('--threshold', 'coverage=0.9')],
  [
    'reports',
    flags('--report', 'DIR/report.json', '--report', 'DIR/report.xml', '--report', 'DIR/report.md'),
  ],
  ['JSON', flags('--json')],
  ['the language of the suite', flags('--language', 'en')],
  ['more streams at a time', flags('--concurrency', '4')],
  ['further keywords', flags('--keyword', 'Dashwood', '--keyword', 'leisure')],
  ['a page as report', flags('--report', 'DIR/report.html')],
  ['a slow start', settings('faults: [[{ kind: slow-start, ms: 300 }]]')],
  ['a doubled message', settings('faults: [[{ kind: duplicate, after_seconds: 5 }]]')],
  ['an address in the environment', () => ({ env: { RXSCRIBE_URL: 'http://127.0.0.1:9' } })],
];

describe('the gate is red when', () => {
  test.each(DAMAGED)('a cassette is damaged: %s', isRed);
  test.each(WORSE)('a result is worse than a limit: %s', isRed);
  test.each(WRONG)('a setting is wrong: %s', isRed);
  test.each(CHANGED)('a result is worse than the baseline: %s', (...red) => isRed(...red, true));
});

async function isRed(
  _: string,
  change: Change,
  code: number,
  reason: RegExp,
  hasBaseline = false,
): Promise<void> {
  const result = await judged(change, hasBaseline);
  expect(result.stdout + result.stderr).toMatch(reason);
  expect(result.code).toBe(code);
}

test.each(HARMLESS)('the gate is green after a harmless change: %s', async (_, change) => {
  const { code, stdout, stderr } = await judged(change, true);
  expect(stdout + stderr).not.toMatch(/✘/);
  expect(code).toBe(0);
});

test('sixty harmful changes and thirty-six harmless ones are tried', () => {
  expect([...DAMAGED, ...WORSE, ...WRONG, ...CHANGED].length).toBeGreaterThanOrEqual(60);
  expect(HARMLESS).toHaveLength(36);
});
