import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { type MicrophoneOptions, microphone } from '../../../src/audio/source/microphone.ts';
import {
  checkMicrophone,
  listMicrophones,
  readAlsaDevices,
  readPulseSources,
} from '../../../src/audio/source/microphones.ts';
import type { SourceStatus } from '../../../src/audio/source/reconnecting.ts';
import { childrenWith, hidePrograms, installScript } from '../../helpers/childProcesses.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { needs } from '../../helpers/needs.ts';
import { createPulseMicrophone, noPulseMicrophone } from '../../helpers/pulseMicrophone.ts';
import { gapsOf } from '../../helpers/readAudio.ts';

/** Records with reconnection until the end of the test. */
function listen(options: MicrophoneOptions = {}) {
  const [blocks, statuses]: [AudioBlock[], SourceStatus[]] = [[], []];
  const errors: unknown[] = [];
  const subscription = microphone({
    recorder: 'arecord',
    reconnect: true,
    onStatus: status => statuses.push(status),
    ...options,
  }).subscribe({ next: block => blocks.push(block), error: error => errors.push(error) });
  onTestFinished(() => subscription.unsubscribe());
  return {
    blocks,
    statuses,
    errors,
    types: () => statuses.map(({ type }) => type),
    gaps: () => gapsOf(blocks),
    heard: (count: number) => eventually(() => expect(blocks.length).toBeGreaterThan(count)),
  };
}

/** Runs `pactl`, and returns its output. */
const pactl = (...args: string[]) => execFileSync('pactl', args, { encoding: 'utf8' }).trim();

/** Gives noise in real time. */
const NOISE = 'while true; do head -c 3200 /dev/urandom; sleep 0.1; done';

describe('a microphone that reconnects', () => {
  test('goes on after its recorder was killed', async () => {
    await using _ = await installScript('arecord', NOISE);
    const heard = listen();
    await heard.heard(0);
    const [pid] = childrenWith('arecord');
    process.kill(pid!, 'SIGKILL');
    await eventually(() => expect(heard.types()).toEqual(['lost', 'back']));
    expect(heard.statuses[0]!.message).toMatch(
      /^The audio from the default microphone is lost\. .*SIGKILL\.$/,
    );
    const [gap] = heard.gaps();
    expect(gap).toBeGreaterThan(0);
    expect(gap).toBeLessThan(5);
  });

  test('notices that its recorder was stopped', async () => {
    await using _ = await installScript('arecord', NOISE);
    const heard = listen({ lossMs: 300 });
    await heard.heard(0);
    const [pid] = childrenWith('arecord');
    process.kill(pid!, 'SIGSTOP');
    await eventually(() => expect(heard.types()).toEqual(['lost', 'back']));
    expect(childrenWith('arecord')).not.toContain(pid);
  });

  test('takes the default one while its device is gone, and says so', async () => {
    const gone = join(await temporaryDirectory(), 'gone');
    const script = `if [ "$2" = desk ] && [ -e ${gone} ]; then echo 'no desk' >&2; exit 1; fi
      if [ "$2" = desk ]; then head -c 6400 /dev/urandom; touch ${gone}; exit 1; fi; ${NOISE}`;
    await using _ = await installScript('arecord', script);
    const heard = listen({ device: 'desk' });
    await eventually(() => expect(heard.types()).toEqual(['lost', 'back']));
    expect(heard.statuses.map(({ name }) => name)).toEqual([
      "the microphone 'desk'",
      'the default microphone',
    ]);
  });

  test('that cannot be opened at the start is an error, and the default one is not taken', async () => {
    await using _ = await installScript('arecord', `[ "$2" = desk ] && exit 1; ${NOISE}`);
    const heard = listen({ device: 'desk' });
    await eventually(() => expect(heard.errors).toEqual([expect.objectContaining({ code: 'audio-device' })]));
  });
});

describe('a microphone of a sound server', { tags: 'tools' }, () => {
  test('that is unplugged and plugged in again is heard again', async context => {
    needs(context, noPulseMicrophone);
    await using room = await createPulseMicrophone();
    const heard = listen();
    await heard.heard(5);
    await room.unplug();
    await eventually(() => expect(heard.types()).toEqual(['lost']));
    await room.plugIn();
    const pluggedIn = performance.now();
    await eventually(() => expect(heard.types()).toEqual(['lost', 'back']));
    expect(performance.now() - pluggedIn).toBeLessThan(5000);
    expect(heard.gaps().length).toBe(1);
    expect(Math.abs(heard.gaps()[0]! - heard.statuses[1]!.lostSeconds!)).toBeLessThan(0.5);
  });

  test('that is muted is reported as silent, and as audible when it speaks', async context => {
    needs(context, noPulseMicrophone);
    await using room = await createPulseMicrophone();
    const heard = listen({ silenceSeconds: 1 });
    await eventually(() => expect(heard.types()).toEqual(['silent']));
    const noise = Int16Array.from({ length: 16_000 }, () => Math.round(2000 * (Math.random() - 0.5)));
    await room.speak(noise);
    await eventually(() => expect(heard.types().slice(0, 2)).toEqual(['silent', 'audible']));
  });

  test('that was asked for is named, and taken back when it was unplugged and is there again', async context => {
    needs(context, noPulseMicrophone);
    await using room = await createPulseMicrophone();
    process.env.PULSE_SERVER = room.server;
    onTestFinished(() => void delete process.env.PULSE_SERVER);
    const plugIn = () =>
      pactl('load-module', 'module-null-sink', 'sink_name=desk', 'sink_properties=device.description=Desk');
    const desk = plugIn();
    const heard = listen({ device: 'pulse:desk.monitor' });
    const messages = () => heard.statuses.map(({ message, isOther }) => [message, isOther]);
    const named = ["Recording from 'Monitor of Desk'.", false];
    await eventually(() => expect(messages()).toEqual([named]));
    pactl('unload-module', desk);
    const moved = [
      "The system records from 'Monitor of Null Output' instead of the microphone 'pulse:desk.monitor'.",
      true,
    ];
    await eventually(() => expect(messages()).toEqual([named, moved]));
    plugIn();
    await eventually(() => expect(messages()).toEqual([named, moved, named]));
    // A person may choose another one.
    pactl('move-source-output', pactl('list', 'short', 'source-outputs').split('\t')[0]!, 'room.monitor');
    await eventually(() => expect(messages()).toEqual([named, moved, named, moved]));
  });

  test('is listed, chosen by its id, and checked', async context => {
    needs(context, noPulseMicrophone);
    await using room = await createPulseMicrophone();
    process.env.PULSE_SERVER = room.server;
    onTestFinished(() => void delete process.env.PULSE_SERVER);
    expect(await listMicrophones()).toEqual([
      { id: 'pulse:room.monitor', name: 'Monitor of Null Output', isDefault: true },
    ]);
    const checking = checkMicrophone({ device: 'pulse:room.monitor', seconds: 1 });
    await expect(checking).rejects.toMatchObject({
      code: 'audio-empty',
      message: "The microphone 'pulse:room.monitor' gives digital silence. Check that it is not muted.",
    });
    await expect(checkMicrophone({ device: 'pulse:nonesuch' })).rejects.toMatchObject({
      code: 'audio-device',
      message: expect.stringContaining('No such entity'),
    });
  });
});

test('the level of a microphone can be checked', async () => {
  await using _ = await installScript('arecord', NOISE);
  expect(await checkMicrophone({ recorder: 'arecord', seconds: 0.2 })).toMatch(
    /^The default microphone works: its peak in 0\.2 s is -?0 dB\.$/,
  );
});

test('without a program that could list microphones there is an error', async () => {
  await using _ = await hidePrograms();
  await expect(listMicrophones()).rejects.toMatchObject({ code: 'program-missing' });
});

test('the sources of a sound server are listed with the default one first and monitors last', () => {
  const source = (number: number, name: string, description: string, sink: string) =>
    `Source #${number}\n\tState: IDLE\n\tName: ${name}\n\tDescription: ${description}\n\tMonitor of Sink: ${sink}\n\n`;
  const list =
    source(1, 'out.monitor', 'Monitor of Speakers', 'out') +
    source(2, 'usb', 'USB Mic: Desk', 'n/a') +
    source(3, 'built-in', 'Built-in Audio', 'n/a');
  expect(readPulseSources(list, 'Server Name: x\nDefault Source: built-in\n')).toEqual([
    { id: 'pulse:built-in', name: 'Built-in Audio', isDefault: true },
    { id: 'pulse:usb', name: 'USB Mic: Desk', isDefault: false },
    { id: 'pulse:out.monitor', name: 'Monitor of Speakers', isDefault: false },
  ]);
});

test('the devices of ALSA are listed in any language', () => {
  const list =
    '**** List of CAPTURE Hardware Devices ****\n' +
    'card 0: PCH [HDA Intel PCH], device 0: ALC257 Analog [ALC257 Analog]\n  Subdevices: 1/1\n  Subdevice #0: subdevice #0\n' +
    'Karte 1: Mic [USB Mic], Gerät 0: USB Audio [USB Audio]\n  Sub-Geräte: 1/1\n';
  expect(readAlsaDevices(list)).toEqual([
    { id: 'plughw:CARD=PCH,DEV=0', name: 'HDA Intel PCH, ALC257 Analog', isDefault: true },
    { id: 'plughw:CARD=Mic,DEV=0', name: 'USB Mic, USB Audio', isDefault: false },
  ]);
});
