import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cli, runCommand, startProcess } from '../../helpers/commandLine.ts';
import { suiteFolder } from '../suite/suiteFolder.ts';
import { type Change, isFinal, isPartial, judged, type Line, line, untouched, words } from './scene.ts';

const typed = (type: string) => (each: Line) => each.type === type;
const isConnected = ({ message }: Line) => message?.type === 'connected';
/** Changes fields of a line. */
const fields = (is: (line: Line) => boolean, which: number, changes: object) =>
  line(is, which, each => ({ ...each, ...changes }));
/** Changes fields of a message. */
const message = (is: (line: Line) => boolean, which: number, changes: object) =>
  line(is, which, each => ({ ...each, message: { ...each.message!, ...changes } }));
/** Changes fields of the first word of a final. */
const word = (which: number, changes: object) =>
  words(which, ([first, ...rest]) => [{ ...first!, ...changes }, ...rest]);
const removed = (is: (line: Line) => boolean, which: number) => line(is, which, () => []);
const doubled = (is: (line: Line) => boolean, which: number) => line(is, which, each => [each, each]);
/** Changes the whole text of the cassette. */
const text =
  (to: (text: string) => string): Change =>
  ({ lines }) => ({ text: to(lines.map(each => `${JSON.stringify(each)}\n`).join('')) });
/** Repeats a line after another one, with the time and the frame there. */
const repeated =
  (is: (line: Line) => boolean, which: number, after: (line: Line) => boolean, at: number): Change =>
  ({ lines }) => {
    const chosen = lines.filter(is).at(which)!;
    const place = lines.filter(after).at(at)!;
    const { ms, frame } = place;
    return { lines: lines.flatMap(each => (each === place ? [each, { ...chosen, ms, frame }] : each)) };
  };
/** Moves a line after another one. */
const moved =
  (...place: Parameters<typeof repeated>): Change =>
  scene => {
    const [is, which] = place;
    const chosen = scene.lines.filter(is).at(which);
    const { lines = [] } = repeated(...place)(scene);
    return { lines: lines.filter(each => each !== chosen) };
  };
/** Exchanges the messages of two lines. */
const exchanged =
  (is: (line: Line) => boolean, one: number, other: number): Change =>
  ({ lines }) => {
    const [first, second] = [lines.filter(is).at(one)!, lines.filter(is).at(other)!];
    return {
      lines: lines.map(each => {
        if (each === first) return { ...each, message: second.message! };
        return each === second ? { ...each, message: first.message! } : each;
      }),
    };
  };

/** Name, change, and what the report says. */
type Damage = readonly [string, Change, RegExp];

/** Values that no message may have. */
const VALUES: readonly Damage[] = [
  ['a word that starts at -3 s', word(1, { ts: -3 }), /line \d+: .*start of -3 s/],
  ['a final that starts at -3 s', message(isFinal, 1, { ts: -3 }), /line \d+: .*start of -3 s/],
  ['a partial that starts at -1 s', message(isPartial, 2, { ts: -1 }), /line \d+: .*start of -1 s/],
  ['a word that ends before its start', word(1, { end_ts: 1 }), /line \d+: .*end of 1 s.*before its start/],
  [
    'a final that ends before its start',
    message(isFinal, 1, { end_ts: 1 }),
    /line \d+: .*ends at 1 s, not after/,
  ],
  [
    'a final that ends at its start',
    message(isFinal, 0, { ts: 2, end_ts: 2 }),
    /line \d+: .*ends at 2 s, not after/,
  ],
  [
    'a partial that ends before its start',
    message(isPartial, 9, { end_ts: 0 }),
    /line \d+: .*before its start/,
  ],
  ['a start that is a text', message(isFinal, 1, { ts: '7.5' }), /line \d+: .*ts must be a number/],
  ['an end that is null', message(isFinal, 1, { end_ts: null }), /line \d+: .*end_ts must be a number/],
  [
    'an end beyond all numbers',
    text(all => all.replace('"end_ts":26.76,"el', '"end_ts":1e999,"el')),
    /line \d+: .*end_ts/,
  ],
  [
    'a start beyond all numbers',
    text(all => all.replace('"ts":23.84,"end_ts":24.21', '"ts":-1e999,"end_ts":24.21')),
    /line \d+: .*elements\/0/,
  ],
  ['a word whose start is a text', word(2, { ts: 'x' }), /line \d+: .*elements\/0/],
  ['a word without a start', word(2, { ts: undefined }), /line \d+: .*only one of a start and an end/],
  ['a word without an end', word(2, { end_ts: undefined }), /line \d+: .*only one of a start and an end/],
  ['a confidence of 7', word(1, { confidence: 7 }), /line \d+: .*confidence of 7/],
  ['a confidence of -0.1', word(1, { confidence: -0.1 }), /line \d+: .*confidence of -0\.1/],
  ['a confidence that is a text', word(1, { confidence: 'high' }), /line \d+: .*elements\/0/],
  ['a final without a start', message(isFinal, 1, { ts: undefined }), /line \d+: .*ts must be a number/],
  [
    'a final without an end',
    message(isFinal, 1, { end_ts: undefined }),
    /line \d+: .*end_ts must be a number/,
  ],
  [
    'a final without elements',
    message(isFinal, 1, { elements: undefined }),
    /line \d+: .*elements must be an array/,
  ],
  [
    'elements that are a text',
    message(isFinal, 1, { elements: 'and so' }),
    /line \d+: .*elements must be an array/,
  ],
  [
    'elements that are an object',
    message(isFinal, 1, { elements: {} }),
    /line \d+: .*elements must be an array/,
  ],
  ['an element that is null', words(1, all => [null as never, ...all]), /line \d+: .*elements\/0/],
  ['an element that is a text', words(1, all => ['so' as never, ...all]), /line \d+: .*elements\/0/],
  ['an element of an unknown type', word(1, { type: 'wort' }), /line \d+: .*elements\/0/],
  ['an element without a type', word(1, { type: undefined }), /line \d+: .*elements\/0/],
  ['a word without a text', word(1, { value: undefined }), /line \d+: .*elements\/0/],
  ['a word that is a number', word(1, { value: 5 }), /line \d+: .*elements\/0/],
  [
    'punctuation in a partial',
    message(isPartial, 3, { elements: [{ type: 'punct', value: '.' }] }),
    /line \d+: .*elements\/0/,
  ],
  ['a speaker of -1', message(isFinal, 1, { speaker_id: -1 }), /line \d+: .*speaker_id/],
  ['a speaker that is a text', message(isFinal, 1, { speaker_id: 'Ann' }), /line \d+: .*speaker_id/],
  [
    'a connected without an id',
    message(isConnected, 0, { id: undefined }),
    /line \d+: .*id must be a string/,
  ],
  ['a connected with a number as id', message(isConnected, 0, { id: 5 }), /line \d+: .*id must be a string/],
  ['a message without a type', message(isFinal, 1, { type: undefined }), /line \d+: .*object with a type/],
  ['a message whose type is a number', message(isFinal, 1, { type: 3 }), /line \d+: .*object with a type/],
  ['a message that is a number', fields(isFinal, 1, { message: 3 }), /line \d+: .*object with a type/],
  ['a message that is a list', fields(isFinal, 1, { message: [] }), /line \d+: .*object with a type/],
  ['a message that is null', fields(isFinal, 1, { message: null }), /line \d+: .*object with a type/],
  [
    'a text that is no JSON',
    fields(isFinal, 1, { message: undefined, text: '{"type":' }),
    /line \d+: .*not valid JSON/,
  ],
  ['a message and a text', fields(isFinal, 1, { text: '{}' }), /line \d+: expected either message or text/],
];

/** An order that a service could have sent. */
const ORDER: readonly Damage[] = [
  ['a final twice', doubled(isFinal, 1), /line \d+: the final .* is final since line \d+/],
  [
    'a final again after two others',
    repeated(isFinal, 1, isFinal, 3),
    /line \d+: the final .* is final since/,
  ],
  [
    'a final of words that an earlier one has',
    message(isFinal, 2, { ts: 8 }),
    /line \d+: the final from 8 .* is final since/,
  ],
  ['two finals in the wrong order', exchanged(isFinal, 1, 2), /line \d+: the final ends at 16\.34 s, but/],
  [
    'a partial of words that are final',
    repeated(isPartial, 3, isFinal, 1),
    /line \d+: the partial .* is final since/,
  ],
  ['a connected twice', doubled(isConnected, 0), /line \d+: .*`connected` again/],
  ['a connected again at the end', repeated(isConnected, 0, isFinal, 4), /line \d+: .*`connected` again/],
  ['a connected after words', moved(isConnected, 0, isFinal, 1), /line \d+: .*`connected` after words/],
  [
    'a final before its audio',
    exchanged(isFinal, 0, 4),
    /line \d+: the final ends at 26\.76 s, but the audio sent/,
  ],
  [
    'a final that ends an hour later',
    message(isFinal, 4, { end_ts: 3600 }),
    /line \d+: the final ends at 3600 s, but/,
  ],
  [
    'a partial that ends an hour later',
    message(isPartial, 4, { end_ts: 3600 }),
    /line \d+: the partial ends at 3600 s, but/,
  ],
  [
    'a word that starts before its final',
    word(1, { ts: 1 }),
    /line \d+: element 1 of the final.* outside of/,
  ],
  [
    'a word that ends after its final',
    word(1, { end_ts: 20 }),
    /line \d+: element 1 of the final.* outside of/,
  ],
  [
    'a word that starts before the one before it',
    words(1, all => all.toReversed()),
    /line \d+: element \d+ .* before the element before it/,
  ],
  ['a final that is missing', removed(isFinal, 1), /line \d+: the final of the words from/],
  [
    'a final that is a partial',
    message(isFinal, 1, { type: 'partial', elements: [{ type: 'text', value: 'x' }] }),
    /the final of the words from/,
  ],
  [
    'a message with words of an unknown type',
    message(isFinal, 1, { type: 'finale' }),
    /line \d+: .*unknown type 'finale'/,
  ],
  [
    'a message that the client could not decode',
    fields(isFinal, 1, { heard: false, message: { type: 'final' } }),
    /line \d+: .*ts must be a number/,
  ],
];

/** Lines that no recorder writes. */
const LINES: readonly Damage[] = [
  ['a line of an unknown type', fields(typed('send_text'), 0, { type: 'sent' }), /line \d+: .*known type/],
  ['a line without a type', fields(typed('send_text'), 0, { type: undefined }), /line \d+: .*known type/],
  ['a line that is a list', fields(isFinal, 1, { type: [] }), /line \d+: .*known type/],
  ['a time that goes back', fields(isFinal, 1, { ms: 5 }), /line \d+: .*ms or later, found 5/],
  ['a time of -1 ms', fields(typed('audio'), 0, { ms: -1 }), /line \d+: .*ms/],
  ['a time that is a text', fields(isFinal, 1, { ms: '5' }), /line \d+: .*ms/],
  ['a time of a thousand years', fields(typed('end'), 0, { ms: 4e13 }), /line \d+: .*ms/],
  ['a line without a time', fields(isFinal, 1, { ms: undefined }), /line \d+: .*ms/],
  ['a frame that goes back', fields(isFinal, 1, { frame: 5 }), /line \d+: .*or later, found 5/],
  [
    'a frame after the audio',
    fields(typed('close'), 0, { frame: 999_999_999 }),
    /line \d+: .*before frame 443680/,
  ],
  ['half a frame', fields(isFinal, 1, { frame: 0.5 }), /line \d+: .*frame/],
  [
    'a connection that does not exist',
    fields(isFinal, 1, { connection: 3 }),
    /line \d+: .*connection before 1, found 3/,
  ],
  ['a connection of -1', fields(isFinal, 1, { connection: -1 }), /line \d+: .*connection/],
  ['a connection twice', doubled(typed('connect'), 0), /line \d+: expected connection 1, found 0/],
  ['a connection that opens twice', doubled(typed('opened'), 0), /line \d+: .*connecting, found it open/],
  ['a connection that never opens', removed(typed('opened'), 0), /line \d+: .*open, found it connecting/],
  ['a final after the close', repeated(isFinal, 4, typed('close'), 0), /line \d+: .*open, found it closed/],
  ['a close twice', doubled(typed('close'), 0), /line \d+: .*open, found it closed/],
  ['a close code of 7', fields(typed('close'), 0, { code: 7 }), /line \d+: .*code/],
  ['a close by nobody', fields(typed('close'), 0, { by: 'nobody' }), /line \d+: .*by/],
  ['a block twice', doubled(typed('block'), 4), /line \d+: .*behind frame/],
  ['a frame of audio twice', doubled(typed('send'), 4), /line \d+: .*or later/],
  [
    'a frame of audio of another length',
    fields(typed('send'), 4, { frames: 5 }),
    /line \d+: .*ends at frame/,
  ],
  [
    'another sample rate',
    fields(typed('audio'), 0, { format: { sample_format: 'S16LE', sample_rate: 8000, channels: 1 } }),
    /line \d+/,
  ],
  [
    'an unknown sample format',
    fields(typed('audio'), 0, { format: { sample_format: 'S12', sample_rate: 16_000, channels: 1 } }),
    /line \d+: .*sample_format/,
  ],
  ['an end at another frame', fields(typed('end'), 0, { frames: 5 }), /line \d+: expected the end at frame/],
  [
    'a line after the end',
    repeated(typed('status'), 0, typed('end'), 0),
    /line \d+: .*nothing behind the end/,
  ],
  [
    'a date that does not exist',
    fields(typed('cassette'), 0, { recorded_at: '2026-99-22T08:37:39Z' }),
    /line 1: .*date/,
  ],
  [
    'a status of an unknown type',
    fields(typed('status'), 0, { status: { type: 'conecting' } }),
    /line \d+: .*status/,
  ],
  ['a status without a type', fields(typed('status'), 0, { status: {} }), /line \d+: .*status/],
  [
    'a failure without an error',
    fields(typed('status'), 5, { status: { type: 'failed' } }),
    /line \d+: .*status/,
  ],
  [
    'an event of an unknown type',
    fields(typed('event'), 0, { event: { type: 'noise', ts: 1, endTs: 2 } }),
    /line \d+: .*event/,
  ],
  [
    'silence without an end',
    fields(typed('event'), 0, { event: { type: 'silence', ts: 1 } }),
    /line \d+: .*event/,
  ],
  [
    'silence that ends before its start',
    fields(typed('event'), 0, { event: { type: 'silence', ts: 27, endTs: 26 } }),
    /line \d+: .*end of 26 s/,
  ],
  [
    'silence that starts at -5 s',
    fields(typed('event'), 0, { event: { type: 'silence', ts: -5, endTs: 26 } }),
    /line \d+: .*start of -5 s/,
  ],
];

const HARMLESS: readonly (readonly [string, Change])[] = [
  ['spaces between all tokens', text(all => all.replaceAll(/"(type|ms|frame)":/g, ' "$1" : '))],
  ['tabs at the ends of lines', text(all => all.replaceAll('\n', '\t\n'))],
  ['blank lines', text(all => all.replaceAll('\n', '\n\n'))],
  ['lines of spaces', text(all => all.replaceAll('\n', '\n   \n'))],
  ['lines that end as on Windows', text(all => all.replaceAll('\n', '\r\n'))],
  ['no line feed at the end', text(all => all.trimEnd())],
  ['a byte order mark', text(all => `\uFEFF${all}`)],
  ['fields in the other order', ({ lines }) => ({ lines: lines.map(inOtherOrder) as Line[] })],
  ['numbers with an exponent', text(all => all.replaceAll('"frame":16000,', '"frame":1.6e4,'))],
  ['numbers with more decimals', text(all => all.replaceAll('"ts":7.5,', '"ts":7.500,'))],
  ['escaped letters', text(all => all.replaceAll('"value":"and"', '"value":"\\u0061nd"'))],
  ...['cassette', 'audio', 'block', 'connect', 'opened', 'send', 'status', 'event', 'close', 'end'].map(
    (type): readonly [string, Change] => [
      `an unknown field of ${type}`,
      fields(typed(type), 0, { note: 'x' }),
    ],
  ),
  ['an unknown field of a final', message(isFinal, 1, { note: 'x' })],
  ['an unknown field of a partial', message(isPartial, 1, { note: 'x' })],
  ['an unknown field of a word', word(1, { note: 'x' })],
  [
    'an unknown field of the format',
    line(typed('audio'), 0, each => ({ ...each, format: { ...(each.format as object), note: 'x' } })),
  ],
  [
    'a message of an unknown type without words',
    line(isFinal, 1, each => [each, { ...each, message: { type: 'note' } }]),
  ],
  [
    'a message as text',
    line(isFinal, 1, ({ message, ...rest }) => ({ ...rest, text: JSON.stringify(message) })),
  ],
  ['a word without a confidence', word(1, { confidence: undefined })],
  ['words without times', words(1, all => all.map(({ ts: _, end_ts: __, ...rest }) => rest))],
  ['a confidence of 0', word(1, { confidence: 0 })],
  ['a final without text', message(isFinal, 4, { elements: [] })],
  [
    'a final that begins slightly before the end of the last one',
    line(isFinal, 1, ({ message, ...rest }) => ({ ...rest, message: { ...message!, ts: 7.48 } })),
  ],
];

function inOtherOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOtherOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, inOtherOrder(field)]),
  );
}

/** Judges a cassette by itself: without limits, and at full speed. */
const alone =
  (change: Change): Change =>
  scene => ({ suite: '', settings: 'speed: max', ...change(scene) });

describe('a cassette is red with', () => {
  test.each([...VALUES, ...ORDER, ...LINES])('%s', async (_, change, reason) => {
    const { code, stdout } = await judged(alone(change), false);
    expect(stdout).toMatch(reason);
    expect(code).toBe(6);
  });
});

test.each(HARMLESS)('a cassette is green with %s', async (_, change) => {
  const { code, stdout, stderr } = await judged(alone(change), false);
  expect(stdout + stderr).not.toMatch(/✘/);
  expect(code).toBe(0);
});

/** Returns the path of the sample after a change. */
async function changedCassette(change: Change): Promise<string> {
  const scene = await untouched();
  const changed = change(scene)
    .lines!.map(each => `${JSON.stringify(each)}\n`)
    .join('');
  const directory = await suiteFolder({
    'talk.cassette.jsonl': changed,
    'sense-and-sensibility.wav': scene.audio!,
  });
  return join(directory, 'talk.cassette.jsonl');
}

test('play refuses a cassette with a value that no message may have', async () => {
  const path = await changedCassette(word(1, { confidence: 7 }));
  const { code, stderr } = await runCommand(cli`play ${path}`);
  expect(stderr).toMatch(/line 269: .*confidence of 7/);
  expect(code).toBe(3);
});

test('play reports results that a cassette repeats, with exit code 6', async () => {
  await using running = startProcess(cli`play ${await changedCassette(doubled(isFinal, 1))}`);
  await running.line(/^\{/);
  running.interrupt();
  expect(await running.done).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/line 270: the final from 7\.\d+ to .* is final since line 269/),
  });
});
