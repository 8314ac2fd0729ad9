import { symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSuite } from '../../../../src/replay/suite/read/readSuite.ts';
import { CASSETTE_HEADER, suiteFolder } from '../suiteFolder.ts';

const END = '{"type":"end","ms":9,"frames":9,"audio":{"container":"wav","file":"with.wav","sha256":"00"}}\n';

async function readNames(directory: string): Promise<readonly (readonly [string, string])[]> {
  const { cases } = await readSuite([directory]);
  return cases.map(({ name, input }) => [name, input.kind] as const);
}

describe('a directory', () => {
  test('contains recordings and cassettes in the order of their paths, with their references', async () => {
    const directory = await suiteFolder({
      'b/two.mp3': 'x',
      'b/two.srt': 'x',
      'a.wav': 'x',
      'a.json': '{}',
      'a.txt': 'x',
      'c.FLAC': 'x',
      'notes.md': 'x',
      'program.ts': 'x',
      'tape.jsonl': CASSETTE_HEADER,
      'log.jsonl': '{"type":"log"}\n',
      '.hidden/d.wav': 'x',
      '.e.wav': 'x',
    });
    const { cases, name } = await readSuite([directory]);
    expect(cases.map(each => [each.name, each.input.kind, each.reference])).toEqual([
      ['a', 'audio', join(directory, 'a.txt')],
      ['b/two', 'audio', join(directory, 'b/two.srt')],
      ['c', 'audio', undefined],
      ['tape', 'cassette', undefined],
    ]);
    expect(name).toBe(basename(directory));
  });

  test('contains cassettes by their first line, and damaged ones by their name', async () => {
    const directory = await suiteFolder({
      'lost.cassette.jsonl': '',
      'other.jsonl': '{"version":1,"software":{"rxscribe":"1.0.0"},"type":"cassette"}\n',
      'log.jsonl': '{"type":"log"}\n{"type":"cassette"}\n',
      'empty.jsonl': '',
    });
    expect(await readNames(directory)).toEqual([
      ['lost', 'cassette'],
      ['other', 'cassette'],
    ]);
  });

  test('does not count the audio beside a cassette as a case', async () => {
    const directory = await suiteFolder({
      'whole.jsonl': `${CASSETTE_HEADER}${' '.repeat(20_000)}\n${END}`,
      'with.wav': 'x',
      'cut.jsonl': `${CASSETTE_HEADER}{"type":"audio","ms":0,"file":"cut.wav"}\n{"type":"se`,
      'cut.wav': 'x',
      'inside.jsonl': `${CASSETTE_HEADER}{"type":"end","ms":9,"frames":9,"audio":{"container":"wav"}}\n`,
      'inside.wav': 'x',
    });
    expect(await readNames(directory)).toEqual([
      ['cut', 'cassette'],
      ['inside.jsonl', 'cassette'],
      ['inside.wav', 'audio'],
      ['whole', 'cassette'],
    ]);
  });

  test('is read once when a link leads back to it; broken links are skipped', async () => {
    const directory = await suiteFolder({ 'a/one.wav': 'x' });
    await symlink(directory, join(directory, 'a/back'));
    await symlink('/nowhere', join(directory, 'gone.wav'));
    await symlink(join(directory, 'a/one.wav'), join(directory, 'link.wav'));
    expect(await readNames(directory)).toEqual([
      ['a/one', 'audio'],
      ['link', 'audio'],
    ]);
  });

  test('without recordings is an error', async () => {
    const directory = await suiteFolder({ 'notes.md': 'x' });
    await expect(readSuite([directory])).rejects.toMatchObject({
      code: 'unreadable-input',
      message: expect.stringContaining('No recording or cassette was found in'),
    });
  });
});

describe('files', () => {
  test('are cases regardless of their extension, each once, with unique names', async () => {
    const directory = await suiteFolder({ 'a.wav': 'x', 'a.mp3': 'x', 'b.bin': 'x', 'd/b.bin': 'x' });
    const paths = ['a.wav', 'a.mp3', 'b.bin', 'd/b.bin', 'a.wav'].map(name => join(directory, name));
    const { cases } = await readSuite(paths);
    expect(cases.map(({ name }) => name)).toEqual([
      'a.wav',
      'a.mp3',
      join(directory, 'b.bin'),
      join(directory, 'd/b.bin'),
    ]);
  });

  test('accept one reference for one recording', async () => {
    const directory = await suiteFolder({ 'a.wav': 'x', 'b.wav': 'x', 'a.txt': 'x', 'mine.txt': 'x' });
    const reference = join(directory, 'mine.txt');
    const { cases } = await readSuite([join(directory, 'a.wav')], { reference });
    expect(cases[0]!.reference).toBe(reference);
    await expect(readSuite([directory], { reference })).rejects.toThrow(
      /--reference requires one recording, not 2\./,
    );
    await writeFile(join(directory, 'suite.yaml'), 'cases: [{ audio: a.wav }]');
    await expect(readSuite([join(directory, 'suite.yaml')], { reference })).rejects.toThrow(
      /names its references itself/,
    );
  });

  test('that do not exist, or are other JSON Lines, are errors', async () => {
    const directory = await suiteFolder({ 'log.jsonl': '{"a":1}\n' });
    for (const name of ['none.wav', 'log.jsonl']) {
      await expect(readSuite([join(directory, name)])).rejects.toMatchObject({ code: 'unreadable-input' });
    }
  });

  test('cannot be combined with a suite file, or with unknown rules and languages', async () => {
    await expect(readSuite(['a.wav', 'suite.yaml'])).rejects.toThrow(/Give one suite file, or recordings\./);
    for (const flags of [{ rules: 'english' }, { language: '!!' }]) {
      await expect(readSuite(['a.wav'], flags)).rejects.toMatchObject({ code: 'invalid-argument' });
    }
  });

  test('of cassettes are answered by the given service', async () => {
    const directory = await suiteFolder({ 'tape.jsonl': CASSETTE_HEADER });
    const service = async (flags = {}) => (await readSuite([directory], flags)).cases[0]!.service;
    expect(await service()).toBe('cassette');
    const url = 'http://127.0.0.1:1';
    expect(await service({ url })).toBe('service');
    expect(await service({ url, isUrlForAudio: true })).toBe('cassette');
  });
});
