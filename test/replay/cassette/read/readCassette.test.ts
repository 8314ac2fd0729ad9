import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CassetteError } from '../../../../src/replay/cassette/cassetteError.ts';
import { CASSETTE_LIMITS } from '../../../../src/replay/cassette/cassetteLimits.ts';
import { readCassette } from '../../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../../src/replay/cassette/recordedRun.ts';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';
import { recordSpeech, SPEECH } from '../recordings.ts';

const HEADER = '{"type":"cassette","version":1,"recorded_at":"2026-01-01T00:00:00.000Z","software":{}}';
const CONNECT = '{"type":"connect","ms":0,"connection":0,"frame":0,"address":"ws://127.0.0.1","query":{}}';
const OPENED = '{"type":"opened","ms":1,"connection":0,"frame":0}';
const AUDIO =
  '{"type":"audio","ms":1,"format":{"sample_format":"S16LE","sample_rate":16000,"channels":1},"block_frames":1600}';
const BLOCK = '{"type":"block","ms":1,"frame":1600}';
const SEND = '{"type":"send","ms":2,"connection":0,"frame":1600,"start":0,"frames":1600}';
const MESSAGE =
  '{"type":"message","ms":3,"connection":0,"frame":1600,"message":{"type":"connected","id":"a"}}';
const CLOSE = '{"type":"close","ms":4,"connection":0,"frame":1600,"by":"service","code":1000,"reason":""}';
const END = '{"type":"end","ms":5,"frames":1600}';
const GOOD = [HEADER, CONNECT, OPENED, AUDIO, BLOCK, SEND, MESSAGE, CLOSE, END];

async function written(content: string | Uint8Array): Promise<string> {
  const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
  await writeFile(path, content);
  return path;
}

async function errorOf(lines: readonly string[]): Promise<CassetteError> {
  const error = await readCassette(await written(lines.join('\n'))).catch(thrown => thrown);
  expect(error).toBeInstanceOf(CassetteError);
  return error;
}

const withQuery = (query: object) => CONNECT.replace('{}', JSON.stringify(query));

const replaced = (index: number, ...lines: readonly string[]) => GOOD.toSpliced(index, 1, ...lines);

describe('readCassette', () => {
  test('reads handwritten lines, with blank lines and CRLF', async () => {
    const cassette = await readCassette(await written(`\ufeff${GOOD.join('\r\n\r\n')}\r\n`));
    expect(cassette.lines.map(({ type }) => type)).toEqual([
      'connect',
      'opened',
      'audio',
      'block',
      'send',
      'message',
      'close',
    ]);
    expect(recordedRun(cassette).events).toEqual([{ atMs: 3, value: { type: 'connected', id: 'a' } }]);
  });

  test.each<[what: string, lines: readonly string[], line: number, message: RegExp]>([
    [
      'a later version',
      replaced(0, HEADER.replace(':1', ':2')),
      1,
      /has version 2 of the format.* version 1 at most/,
    ],
    ['no header', GOOD.slice(1), 1, /expected the header/],
    ['two headers', replaced(1, HEADER, CONNECT), 2, /expected one header/],
    ['a line that is no JSON', replaced(5, '{"type":"sen'), 6, /expected JSON/],
    ['a line of no type', replaced(5, '{"ms":2}'), 6, /known type.*found none/],
    ['a line of an unknown type', replaced(5, '{"type":"sing"}'), 6, /found "sing"/],
    ['a number for a text', replaced(1, CONNECT.replace('"ws://127.0.0.1"', '7')), 2, /address.*found 7\.$/],
    [
      'a speed that is none',
      replaced(3, AUDIO.replace('1600}', '1600,"speed":1e7}')),
      4,
      /speed must be "max" or <= 1000000, found 10000000\.$/,
    ],
    [
      'who closes that nobody knows',
      replaced(7, CLOSE.replace('"service"', '"me"')),
      8,
      /by must be "client" or "service" or "network", found/,
    ],
    ['a text for a number', replaced(2, OPENED.replace('1,', '"1",')), 3, /ms.*found a text of 1 char/],
    ['a time that is none', replaced(2, OPENED.replace(':1,', ':1e999,')), 3, /ms.*found Infinity/],
    ['a clock that goes back', replaced(7, CLOSE.replace('4', '2')), 8, /3 ms or later, found 2/],
    ['a connection that is not there', replaced(1), 2, /expected a connection before 0, found 0/],
    [
      'a connection of another number',
      replaced(1, CONNECT.replace('on":0', 'on":1')),
      2,
      /connection 0, found 1/,
    ],
    [
      'what comes over a closed connection',
      replaced(6, CLOSE, MESSAGE.replace('3', '4')),
      8,
      /open, found it closed/,
    ],
    [
      'audio that goes back',
      replaced(7, CLOSE.replace('1600', '1599')),
      8,
      /frame 1600 or later, found 1599/,
    ],
    [
      'audio that does not add up',
      replaced(5, SEND.replace('"frames":1600', '"frames":9')),
      6,
      /ends at frame 1600/,
    ],
    ['audio that the source did not give', replaced(4), 5, /before frame 0, found 1600/],
    ['audio of no format', replaced(3), 4, /expected an audio line/],
    ['an end elsewhere', replaced(8, END.replace('1600', '1700')), 9, /end at frame 1600, found 1700/],
    ['something behind the end', [...GOOD, OPENED], 10, /nothing behind the end/],
    ['audio that begins nowhere', replaced(1, withQuery({ start_ts: 'abc' })), 2, /start_ts/],
    ['audio that begins at no time', replaced(1, withQuery({ start_ts: '1e999' })), 2, /start_ts/],
    ['audio of no type', replaced(1, withQuery({ content_type: 'foo' })), 2, /content_type/],
    [
      'a close with more than a frame holds',
      replaced(7, CLOSE.replace('""', `"${'é'.repeat(62)}"`)),
      8,
      /reason of at most 123 bytes, found 124/,
    ],
    ['a message of nothing', replaced(6, MESSAGE.replace(/,"message":.*/, '}')), 7, /found none/],
    ['an event that is none', replaced(6, '{"type":"event","ms":3,"event":{"type":"final"}}'), 7, /event/],
    ['a file elsewhere', replaced(3, AUDIO.replace('1600}', '1600,"file":"../a.wav"}')), 4, /file/],
    [
      'a file that is not there',
      replaced(
        8,
        END.replace('}', `,"audio":{"container":"wav","file":"a.wav","sha256":"${'0'.repeat(64)}"}}`),
      ),
      9,
      /audio file 'a\.wav'/,
    ],
  ])('reports the place of %s', async (_, lines, line, message) => {
    const error = await errorOf(lines);
    expect(error.message).toMatch(message);
    expect(error.message).toContain(`talk.cassette.jsonl', line ${line}:`);
    expect(error).toMatchObject({ line, code: 'unreadable-input' });
  });

  test('reads the query of a client that resumes', async () => {
    const query = { start_ts: '0.1' };
    const { lines } = await readCassette(await written(replaced(1, withQuery(query)).join('\n')));
    expect(lines[0]).toMatchObject({ query });
  });

  test('reads messages that no client understands', async () => {
    const odd = MESSAGE.replace(
      /"message":.*/,
      '"heard":false,"message":{"type":"final","elements":[null]}}',
    );
    const { lines } = await readCassette(await written(replaced(6, odd).join('\n')));
    expect(recordedRun({ lines }).events).toEqual([]);
  });

  test('never quotes transcript text', async () => {
    const secret = MESSAGE.replace('"id":"a"', '"id":"SECRET"');
    const faults = [
      replaced(6, secret.slice(0, -3)),
      replaced(6, secret.replace('"frame":1600', '"frame":"SECRET"')),
      replaced(6, secret.replace('"message":{', '"text":{"a":')),
      replaced(1, withQuery({ start_ts: 'SECRET' })),
      replaced(6, '{"type":"SECRET"}'),
      replaced(6, '{"type":"event","ms":3,"event":{"type":"SECRET"}}'),
    ];
    for (const lines of faults) expect((await errorOf(lines)).message).not.toContain('SECRET');
  });

  test('refuses bytes that are not text, and endless lines', async () => {
    for (const content of [
      gzipSync(GOOD.join('\n')),
      Buffer.from(GOOD.join('\n'), 'utf16le'),
      '\0'.repeat(100),
      '',
    ]) {
      await expect(readCassette(await written(content))).rejects.toBeInstanceOf(CassetteError);
    }
    const long = `${HEADER}\n"${'x'.repeat(CASSETTE_LIMITS.lineBytes)}"`;
    await expect(readCassette(await written(long))).rejects.toMatchObject({ line: 2 });
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    await errorOf(replaced(6, MESSAGE.replace('{"type":"connected","id":"a"}', deep)));
    await expect(readCassette(await temporaryDirectory())).rejects.toBeInstanceOf(CassetteError);
    await expect(readCassette('nowhere.jsonl')).rejects.toBeInstanceOf(CassetteError);
  });

  test('accepts the longest message of a socket', async () => {
    const text = '\u0001'.repeat(CASSETTE_LIMITS.messageBytes);
    const line = MESSAGE.replace(/"message":.*/, `"heard":false,"text":${JSON.stringify(text)}}`);
    const { lines } = await readCassette(await written(replaced(6, line).join('\n')));
    expect(lines[5]).toMatchObject({ text });
    await errorOf(replaced(6, line.replace('"text":"', '"text":"x')));
  });

  test.each(['beside', 'inside'] as const)('reads a recording that was cut off, audio %s', async audio => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    await recordSpeech(path, { cassette: { path, audio } });
    const text = await readFile(path, 'utf8');
    const block = text.indexOf('"block"', text.indexOf('"frame":6400'));
    await writeFile(path, text.slice(0, text.indexOf('}', text.indexOf('"type":"end"')) - 20));
    const { end, audio: heard } = await readCassette(path);
    expect(end).toBeUndefined();
    expect(heard?.frames).toBe(SPEECH.length);
    await writeFile(path, text.slice(0, block));
    const cut = await readCassette(path);
    // A dying process may have written audio for which there is no line; embedded audio is not written yet.
    expect(cut.audio?.frames).toBe(audio === 'inside' ? undefined : 6400);
  });

  test('refuses other audio than the recorded one, and a link to it', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    await recordSpeech(path);
    const wav = join(directory, 'talk.cassette.wav');
    const bytes = await readFile(wav);
    const other = Buffer.from(bytes);
    other[5000]! ^= 1;
    for (const [damaged, message] of [
      [other, /SHA-256/],
      [bytes.subarray(0, 5000), /frames/],
      [bytes.subarray(0, 20), /header/],
      [Buffer.alloc(0), /header/],
      [
        Buffer.concat([bytes.subarray(0, 24), Buffer.from([0x40, 0x1f]), bytes.subarray(26)]),
        /16000 Hz.*8000 Hz/,
      ],
    ] as const) {
      await writeFile(wav, damaged);
      await expect(readCassette(path)).rejects.toThrow(message);
    }
    await writeFile(join(directory, 'elsewhere.wav'), bytes);
    await writeFile(wav, bytes);
    expect((await readCassette(path)).audio).toBeDefined();
    const linked = join(directory, 'linked.wav');
    await symlink(wav, linked);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('talk.cassette.wav', 'linked.wav'));
    await expect(readCassette(path)).rejects.toThrow(/link/);
  });

  test('refuses damaged FLAC', { tags: 'tools' }, async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    await recordSpeech(path, { cassette: { path, container: 'flac' } });
    const flac = join(directory, 'talk.cassette.flac');
    const bytes = await readFile(flac);
    const changed = Buffer.from(bytes);
    changed[bytes.length - 20]! ^= 0xff;
    for (const damaged of [
      changed,
      bytes.subarray(0, -30),
      bytes.subarray(0, 60),
      Buffer.alloc(0),
      Buffer.alloc(999),
    ]) {
      await writeFile(flac, damaged);
      await expect(readCassette(path)).rejects.toBeInstanceOf(CassetteError);
    }
  });

  test('ends when its signal is aborted', async () => {
    const path = await written(GOOD.join('\n'));
    const reason = new Error('enough');
    await expect(readCassette(path, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
