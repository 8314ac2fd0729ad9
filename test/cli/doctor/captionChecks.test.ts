import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { writeDecisions } from '../../../src/captions/control/operatorDecisions.ts';
import { youtubeServer, zoomServer } from '../../helpers/captionServers.ts';
import { installScript } from '../../helpers/childProcesses.ts';
import { runCommand, startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { freePorts } from '../../helpers/freePorts.ts';
import { fakeVideo } from '../../helpers/hlsVideo.ts';
import { httpServer, rawServer } from '../../helpers/loopbackServer.ts';
import { testRecognizer } from '../../helpers/needs.ts';
import { startObs } from '../../helpers/obsServer.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { createVirtualMicrophone, noVirtualMicrophone } from '../../helpers/virtualMicrophone.ts';

const SAMPLE = 'samples/not-ill-disposed.wav';
const MICROPHONE = 'plughw:CARD=Mic,DEV=0\tUSB Mic, USB Audio\tdefault\n';

async function configuration(content: object): Promise<string> {
  const path = join(await temporaryDirectory(), 'captions.json');
  await writeFile(path, JSON.stringify(content));
  return path;
}

/** Returns the text of each check by its name, with the sign before it. */
function checksOf(stdout: string): Record<string, string> {
  const lines = stdout.trim().split('\n');
  return Object.fromEntries(
    lines.map(line => {
      const [, sign, name, text] = /^([✔✘]) (\S+(?: \S+)?) {2,}(.+)$/.exec(line)!;
      return [name!, `${sign} ${text}`];
    }),
  );
}

describe('doctor --config', () => {
  test('checks all that the rooms use, a line each, and leaves nothing behind', async () => {
    const directory = await temporaryDirectory();
    const service = await startTestService();
    const [obs, youtube, zoom] = await Promise.all([startObs(), youtubeServer(), zoomServer()]);
    obs.addInput('Captions', 'text_ft2_source_v2');
    const video = fakeVideo({ directory, startMs: Date.now() - 10_000 });
    for (let segment = 0; segment < 3; segment++) await video.add();
    const radio = await httpServer((_, response) => response.writeHead(200, { 'content-length': 2e6 }).end());
    await writeFile(join(directory, 'hall.vtt'), 'WEBVTT\n');
    const before = await readdir(directory);
    const [port] = await freePorts(1);
    const path = await configuration({
      page: port,
      url: service.url,
      token: TEST_TOKEN,
      rooms: [
        {
          name: 'hall',
          input: SAMPLE,
          out: [join(directory, 'hall.srt'), join(directory, 'hall.vtt')],
          continue: true,
          obs: obs.url,
          'obs-source': 'Captions',
          youtube: youtube.address,
          hls: join(directory, 'new/hls'),
          'hls-clock': video.path,
          record: join(directory, 'cassettes'),
          tracks: [{ name: 'fr', hook: 'sed -u s/test/essai/', out: [join(directory, 'fr.srt')] }],
        },
        {
          name: 'annex',
          input: `${radio.url}/talk.mp3`,
          standby: service.url,
          'standby-token': TEST_TOKEN,
          zoom: zoom.address,
        },
      ],
    });
    const { code, stdout, stderr } = await runCommand(['doctor', '--config', path]);
    expect(checksOf(stdout)).toEqual({
      page: expect.stringMatching(/^✔ The page can be opened at http:/),
      'hall/input': `✔ '${SAMPLE}' has audio of 1 channel at 16000 Hz.`,
      'hall/service': expect.stringMatching(
        /^✔ '127[^']+' accepts the token, and a stream was ready after \d/,
      ),
      'hall/obs': expect.stringContaining("text source 'Captions' found"),
      'hall/hls': expect.stringMatching(/^✔ The video lists 3 segments/),
      'hall/youtube': expect.stringMatching(/^✔ '127[^']+' answers/),
      'hall/file': `✔ '${join(directory, 'hall.vtt')}' will be continued.`,
      'hall/record': `✔ Files can be written to '${join(directory, 'cassettes')}', which will be created.`,
      'hall/fr': expect.stringMatching(/^✔ The hook answered 'This is a test.' with 'This is a essai.'/),
      'hall/fr/file': `✔ '${join(directory, 'fr.srt')}' will be created.`,
      'annex/address': "✔ The address of 'talk.mp3' gives a recording of 2.0 MB.",
      'annex/service': expect.stringContaining('accepts the token'),
      'annex/standby': expect.stringContaining('accepts the token'),
      'annex/zoom': expect.stringMatching(/the next caption of the meeting has number 1\.$/),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`✔ hall/file      '${join(directory, 'hall.srt')}' will be created.\n`);
    expect(await readdir(directory)).toEqual(before);
    expect(youtube.accepted.concat(zoom.accepted)).toEqual([]);
  });

  test('has one clear line for each thing that is wrong, without any secret', async () => {
    const directory = await temporaryDirectory();
    const service = await startTestService();
    const obs = await startObs({ password: 'right' });
    const zoom = await zoomServer({ hasStarted: () => false });
    const page = await httpServer(() => {});
    const [port] = await freePorts(1);
    const nowhere = `127.0.0.1:${port}`;
    const exists = join(directory, 'exists.srt');
    await writeFile(exists, 'Something else.');
    const path = await configuration({
      page: page.port,
      url: service.url,
      token: 'a-wrong-token',
      rooms: [
        {
          name: 'hall',
          input: join(directory, 'nothing.wav'),
          out: exists,
          obs: obs.url,
          'obs-source': 'Captions',
          'obs-password': 'a-wrong-password',
          youtube: `http://${nowhere}/closedcaption?cid=secret-key`,
          hls: join(directory, 'hls'),
          'hls-clock': join(directory, 'nothing.m3u8'),
          record: join(exists, 'cassettes'),
          tracks: [
            { name: 'de', hook: 'no-such-program' },
            { name: 'fr', hook: `http://${nowhere}/translate?key=secret-key`, out: join(exists, 'fr.vtt') },
          ],
        },
        {
          name: 'annex',
          input: `http://${nowhere}/talk.mp3?key=secret-key`,
          url: `http://${nowhere}`,
          standby: `http://${nowhere}`,
          'standby-token': 'secret-key',
          youtube: 'https://upload.youtube.com/closedcaption?key=secret-key',
          zoom: zoom.address,
          obs: `ws://${nowhere}`,
          'obs-captions': true,
        },
      ],
    });
    const { code, stdout, stderr } = await runCommand(['doctor', '--config', path]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(checksOf(stdout)).toEqual({
      page: expect.stringMatching(
        /^✘ Cannot open the page on .+: another program uses it\. Choose another port\.$/,
      ),
      'hall/input': `✘ Cannot read '${join(directory, 'nothing.wav')}': there is no such file.`,
      'hall/service': expect.stringMatching(
        /^✘ No stream at '127.+ closed it with 4001 \(Unauthorized\)\. Check the access token/,
      ),
      'hall/obs': expect.stringMatching(/^✘ .*password/i),
      'hall/hls': `✘ Cannot read '${join(directory, 'nothing.m3u8')}': it does not exist.`,
      'hall/youtube': `✘ No connection to '${nowhere}' (ECONNREFUSED).`,
      'hall/file': `✘ '${exists}' exists already. Choose another name, or add --continue or --overwrite.`,
      'hall/record': `✘ Cannot write to '${join(exists, 'cassettes')}': it is not a directory.`,
      'hall/de': "✘ The program 'no-such-program' of the hook is not on the PATH.",
      'hall/fr': expect.stringMatching(new RegExp(`^✘ .*${nowhere}`)),
      'hall/fr/file': `✘ Cannot write to '${exists}': it is not a directory.`,
      'annex/address': expect.stringMatching(/^✘ Cannot fetch 'talk\.mp3': connect ECONNREFUSED/),
      'annex/service': expect.stringContaining(
        `✘ No stream at '${nowhere}': the service cannot be reached: connect`,
      ),
      'annex/standby': expect.stringContaining(
        `✘ No stream at '${nowhere}': the service cannot be reached: connect`,
      ),
      'annex/obs': expect.stringContaining(`✘ Cannot reach OBS at '${nowhere}'`),
      'annex/youtube': expect.stringContaining("'upload.youtube.com' lacks 'cid', or 'id' and 'signature'"),
      'annex/zoom': expect.stringMatching(
        /^✘ '127[^']+' answered with status 400: the meeting has not started\.$/,
      ),
    });
    expect(stdout).not.toMatch(/secret-key|wrong-token|wrong-password/);
    expect(await readdir(directory)).toEqual(['exists.srt']);
  });

  test('shows the rooms as headings in a terminal, and its progress', async () => {
    const service = await startTestService();
    const access = { url: service.url, token: TEST_TOKEN };
    const rooms = ['hall', 'annex'].map(name => ({ name, input: SAMPLE }));
    const [port] = await freePorts(1);
    const path = await configuration({ ...access, page: port, rooms });
    const options = { columns: 80, colours: true };
    const { code, stdout, stderr } = await runCommand(['doctor', '--config', path], options);
    expect(code).toBe(0);
    const lines = stdout.split('\n').map(line => stripVTControlCharacters(line).slice(0, 11));
    expect(lines).toEqual([
      '✔ page  The',
      'hall',
      '  ✔ input  ',
      '  ✔ service',
      'annex',
      '  ✔ input  ',
      '  ✔ service',
      '',
    ]);
    expect(stdout).toContain('\u001b[32m✔\u001b[39m page');
    expect(stderr).toContain('checking 5 parts');
  });

  test('ends at Ctrl-C, also while a place keeps it waiting', async () => {
    const asked = Promise.withResolvers<void>();
    const silent = await rawServer(() => asked.resolve());
    const path = await configuration({ input: SAMPLE, url: silent.url, token: 'secret' });
    await using running = startCommand(['doctor', '--config', path], { columns: 80 });
    await asked.promise;
    running.interrupt();
    expect(await running.done).toMatchObject({ code: 130, stdout: '' });
  });

  test('says that captions begin as the operator left them', async () => {
    const out = join(await temporaryDirectory(), 'talk.srt');
    await writeDecisions(`${out}.operator.json`, {
      atMs: Date.UTC(2026, 10, 26, 20, 14),
      mode: 'off',
      isTyping: false,
      ban: [],
      replace: [],
      addedPhrases: [],
    });
    const service = await startTestService();
    const flags = ['--out', out, '--continue', '--url', service.url, '--token', TEST_TOKEN];
    const { stdout } = await runCommand(['caption', SAMPLE, '--check', ...flags]);
    expect(checksOf(stdout).operator).toMatch(
      /^✔ Captions are off, as the operator left them on 26 Nov 2026/,
    );
  });

  test('excludes repairs', async () => {
    const { code, stderr } = await runCommand(['doctor', '--config', 'captions.yaml', '--fix']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "error: option '--config <file>' cannot be used with option '--fix'. See 'rxscribe doctor --help'.\n",
    );
  });
});

describe('caption --check', () => {
  testRecognizer('checks what its flags name, and captions nothing', async () => {
    const out = join(await temporaryDirectory(), 'talk.srt');
    const { code, stdout } = await runCommand(['caption', SAMPLE, '--check', '--out', out]);
    expect(code).toBe(0);
    expect(checksOf(stdout)).toEqual({
      input: expect.stringContaining('has audio'),
      service: expect.stringMatching(/^✔ The recogniser of this process is loaded, and a stream was ready/),
      file: `✔ '${out}' will be created.`,
    });
  });

  testRecognizer('reports a language that the recogniser lacks', async () => {
    const { code, stdout } = await runCommand(['caption', SAMPLE, '--check', '--language', 'xx']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✘ service +.*language/i);
  });

  test.skipIf(noVirtualMicrophone)('measures the microphone', { tags: 'tools' }, async () => {
    const service = await startTestService();
    const tone = Int16Array.from({ length: 64_000 }, (_, i) => 16_384 * Math.sin(i / 10));
    await using microphone = await createVirtualMicrophone(tone);
    const source = ['--mic', '--device', microphone.device];
    const access = ['--url', service.url, '--token', TEST_TOKEN];
    const { code, stdout } = await runCommand(['caption', ...source, ...access, '--check']);
    expect(stdout).toContain(
      `✔ microphone  The microphone '${microphone.device}' works: its peak in 2 s is -6 dB.`,
    );
    expect(code).toBe(0);
  });
});

describe('caption --check of a second device', () => {
  const check = async (ofCall: string) => {
    const script = `case "$*" in *'-D call'*) ${ofCall} ;; *) head -c 320000 /dev/urandom ;; esac`;
    await using _script = await installScript('arecord', script);
    const service = await startTestService();
    const access = ['--url', service.url, '--token', TEST_TOKEN];
    const { code, stdout } = await runCommand(['caption', '--mic', '--also', 'call', ...access, '--check']);
    const { microphone, Call } = checksOf(stdout);
    expect(microphone).toMatch(/^✔ The default microphone works: its peak in 2 s is -?0 dB\.$/);
    return { code, Call };
  };

  test('measures its level', async () => {
    const Call = "✔ The microphone 'call' works: its peak in 2 s is -2 dB.";
    expect(await check('yes ab | head -c 320000')).toEqual({ code: 0, Call });
  });

  test('warns of digital silence, as nobody may speak yet', async () => {
    const Call = "✘ The microphone 'call' gives digital silence. Check that it is not muted.";
    expect(await check('head -c 320000 /dev/zero')).toEqual({ code: 0, Call });
  });

  test('fails when it is missing', async () => {
    const { code, Call } = await check("echo 'no such device' >&2; exit 1");
    expect({ code, Call }).toEqual({ code: 1, Call: expect.stringMatching(/^✘ .*no such device/) });
  });
});

describe('doctor --microphones', () => {
  const LIST = "echo 'card 1: Mic [USB Mic], device 0: USB Audio [USB Audio]'";
  test.each([
    ['lists the microphones with their values for --device', LIST, 0, MICROPHONE, ''],
    ['fails without any', 'exit 1', 1, '', 'No microphone was found.\n'],
  ])('%s', async (_, script, code, stdout, stderr) => {
    await using _script = await installScript('arecord', script, { alone: true });
    expect(await runCommand(['doctor', '--microphones'])).toEqual({ code, stdout, stderr });
  });
});
