import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { captionCommand } from '../../../src/cli/commands/caption.ts';
import { CAPTION_CONFIG } from '../../../src/cli/flags/captionConfig.ts';
import { applySettings, type ConfigFile, readConfigFile } from '../../../src/cli/flags/configFile.ts';
import { idleContext } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';

const directory = sharedDirectory();

async function read(text: string): Promise<ConfigFile> {
  const path = join(directory, 'captions.yaml');
  await writeFile(path, text);
  return readConfigFile(path, captionCommand(idleContext()), CAPTION_CONFIG);
}

/** Lines of the message of a refused file, without the first. */
async function faultsOf(text: string): Promise<readonly string[]> {
  const error = await read(text).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'invalid-argument' });
  return (error as Error).message.split('\n').slice(1);
}

describe('a configuration file', () => {
  test('has the values that the options would parse', async () => {
    const { settings } = await read(`
mic: true
page: 0.0.0.0:8090
rate: 48000
give-up-after: 60
out: [talk.srt, talk.vtt]
delay: page=2
display: [obs=block]
replace: { speech to text: rxscribe }
ban: [damn]
speakers: { 0: Anna }
`);
    expect(settings).toMatchObject({
      mic: true,
      page: { host: '0.0.0.0', port: 8090 },
      rate: 48_000,
      giveUpAfter: 60,
      out: ['talk.srt', 'talk.vtt'],
      delay: [{ output: 'page', value: 2 }],
      display: [{ output: 'obs', value: 'block' }],
      replace: { 'speech to text': 'rxscribe' },
      ban: ['damn'],
      speakers: { 0: 'Anna' },
    });
  });

  test('is read as the sample that the documents name', async () => {
    const { parts } = await read(
      await readFile(new URL('../../../samples/captions.yaml', import.meta.url), 'utf8'),
    );
    expect(parts.rooms!.map(({ settings }) => settings.name)).toEqual(['hall-1', 'hall-2']);
  });

  test('may be JSON, and empty', async () => {
    expect((await read('{ "mic": true, "channels": 2 }')).settings).toEqual({ mic: true, channels: 2 });
    expect((await read('')).settings).toEqual({});
  });

  test('has rooms and tracks with settings of their own', async () => {
    const { parts } = await read(`
rooms:
  - name: hall-1
    device: plughw:1,0
    tracks: [{ name: de, hook: ./translate.py, language: de, out: hall-1.de.srt }]
  - { name: hall-2, input: 'rtmp://127.0.0.1/live' }
`);
    expect(parts.rooms!.map(({ settings }) => settings)).toEqual([
      { name: 'hall-1', device: 'plughw:1,0' },
      { name: 'hall-2', input: 'rtmp://127.0.0.1/live' },
    ]);
    expect(parts.rooms![0]!.parts.tracks![0]!.settings).toEqual({
      name: 'de',
      hook: './translate.py',
      language: 'de',
      out: ['hall-1.de.srt'],
    });
  });

  test.each([
    ['mic: true\nobs-sorce: Captions\n', '  line 2: unknown key "obs-sorce"; did you mean obs-source?'],
    ['mic: yes please\n', '  line 1: mic: expected true or false, found "yes please"'],
    ['mic: true\nrate: 12\n', "  line 2: rate: '12' is invalid. Must be an integer from 8000 to 48000"],
    [
      'profile: disney\n',
      "  line 1: profile: 'disney' is invalid. Allowed choices are netflix, bbc, dcmp, ted, cea608.",
    ],
    [
      'rooms:\n  - name: a\n    page: 80\n',
      '  line 3: "page" is the same for all parts, and so belongs to the top of the file',
    ],
    [
      'rooms:\n  - name: Hall One\n',
      '  line 2: rooms.0.name: expected a name of a-z, 0-9 and -, found "Hall One"',
    ],
    ['ban: damn\n', '  line 1: ban: expected a list of words, found "damn"'],
    [
      'delay: [page=2, video=3]\n',
      expect.stringContaining(
        "line 1: delay: 'video=3' is invalid. Must be OUTPUT=VALUE with an output of terminal",
      ),
    ],
    ['mic: [\n', expect.stringMatching(/^ {2}line \d: /)],
  ])('is refused with line and key: %j', async (text, fault) => {
    expect((await faultsOf(text))[0]).toEqual(fault);
  });

  test('names every fault at once', async () => {
    expect(await faultsOf('rate: 1\nchannels: 99\nspeed: fast\n')).toHaveLength(3);
  });

  test('is named when it cannot be read, or is no configuration', async () => {
    const command = captionCommand(idleContext());
    const missing = join(directory, 'missing.yaml');
    expect(() => readConfigFile(missing, command, CAPTION_CONFIG)).toThrow(
      `Cannot read the configuration '${missing}': no such file or directory.`,
    );
    await writeFile(missing, Buffer.alloc((1 << 20) + 1, 'a'));
    expect(() => readConfigFile(missing, command, CAPTION_CONFIG)).toThrow('it has 1048577 bytes');
  });

  test('yields to the command line', async () => {
    const command = captionCommand(idleContext());
    command.parseOptions(['--rate', '8000']);
    applySettings(command, { rate: 48_000, channels: 2 });
    expect(command.opts()).toMatchObject({ rate: 8000, channels: 2 });
  });
});
