import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { firstValueFrom, lastValueFrom, share, skipWhile, tap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { AudioWarning } from '../../../src/audio/format/audioWarning.ts';
import { type AudioBlock, framesOf } from '../../../src/audio/format/format.ts';
import { toInt16 } from '../../../src/audio/pcm/pcm.ts';
import { microphone } from '../../../src/audio/source/microphone.ts';
import { findProgram } from '../../../src/audio/source/program.ts';
import { createOverrunReader } from '../../../src/audio/source/recorder.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { childrenWith, hidePrograms, installScript, isGone } from '../../helpers/childProcesses.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createPulseMicrophone, noPulseMicrophone } from '../../helpers/pulseMicrophone.ts';
import { createVirtualMicrophone, noVirtualMicrophone } from '../../helpers/virtualMicrophone.ts';

const SPEECH = Int16Array.from({ length: 48_000 }, (_, i) => Math.round(20_000 * Math.sin((i * i) / 10_000)));

/** Listens until there are so many frames; checks that they follow each other. */
function listen(options: Parameters<typeof microphone>[0], frames: number): Promise<Int16Array> {
  return new Promise((resolve, reject) => {
    const heard: number[] = [];
    const subscription = microphone(options).subscribe({
      next(block) {
        if (block.startFrame !== heard.length) reject(new Error(`a gap at frame ${heard.length}`));
        heard.push(...toInt16(block.samples));
        if (heard.length < frames) return;
        subscription.unsubscribe();
        resolve(Int16Array.from(heard));
      },
      error: reject,
      complete: () => reject(new Error('a microphone does not complete')),
    });
  });
}

describe('a virtual sound device is heard bit by bit from its first sample', () => {
  test.for([
    ['arecord', undefined],
    ['arecord', 'virtual_microphone'],
    ['rec', undefined],
    ['rec', 'virtual_microphone'],
    ['auto', undefined],
  ] as const)('%s, device %s', { tags: 'tools' }, async ([recorder, device], context) => {
    if (noVirtualMicrophone) context.skip(noVirtualMicrophone);
    if (recorder === 'rec' && !findProgram('rec')) context.skip('needs rec of sox');
    await using _ = await createVirtualMicrophone(SPEECH);
    const heard = await listen({ recorder, device }, SPEECH.length);
    expect(Buffer.compare(Buffer.from(heard.buffer, 0, SPEECH.byteLength), Buffer.from(SPEECH.buffer))).toBe(
      0,
    );
  });

  test('sox hears it too, through conversions of its own', { tags: 'tools' }, async context => {
    if (noVirtualMicrophone) context.skip(noVirtualMicrophone);
    if (!findProgram('sox')) context.skip('needs sox');
    await using _ = await createVirtualMicrophone(SPEECH);
    const heard = await listen({ recorder: 'sox', device: 'virtual_microphone' }, SPEECH.length);
    expect(Math.max(...heard)).toBeGreaterThan(15_000);
  });

  test('at another rate and with two channels', { tags: 'tools' }, async context => {
    if (noVirtualMicrophone) context.skip(noVirtualMicrophone);
    await using _ = await createVirtualMicrophone(SPEECH);
    const block = await firstValueFrom(microphone({ recorder: 'arecord', sampleRate: 8000, channels: 2 }));
    expect(block).toMatchObject({ sampleRate: 8000, channels: 2, startFrame: 0 });
    expect(block.samples.length % 2).toBe(0);
  });
});

describe('a microphone of PulseAudio', () => {
  test('is heard as it is spoken to', { tags: 'tools' }, async context => {
    if (noPulseMicrophone) context.skip(noPulseMicrophone);
    await using room = await createPulseMicrophone();
    const heard: number[] = [];
    const subscription = microphone({ recorder: 'arecord' }).subscribe(block =>
      heard.push(...toInt16(block.samples)),
    );
    await eventually(() => expect(heard.length).toBeGreaterThan(0));
    // A busy machine may drop moments: a piece is looked for, and spoken until it came through whole.
    const piece = Buffer.from(SPEECH.buffer, 2 * 4000, 2 * 800);
    while (!Buffer.from(Int16Array.from(heard).buffer).includes(piece)) {
      await room.speak(SPEECH.subarray(0, 16_000));
      await setTimeout(100);
    }
    subscription.unsubscribe();
  });

  test('that vanishes is an error', { tags: 'tools' }, async context => {
    if (noPulseMicrophone) context.skip(noPulseMicrophone);
    await using room = await createPulseMicrophone();
    const audio = microphone({ recorder: 'arecord' }).pipe(share());
    const end = lastValueFrom(audio);
    await firstValueFrom(audio);
    await Promise.all([expect(end).rejects.toMatchObject({ code: 'audio-device' }), room.unplug()]);
  });
});

describe('a recorder that fails is an error with its own reason', () => {
  test.for(['arecord', 'rec', 'sox'] as const)(
    'no such device: %s',
    { tags: 'tools' },
    async (recorder, context) => {
      if (noVirtualMicrophone) context.skip(noVirtualMicrophone);
      if (!findProgram(recorder)) context.skip(`needs ${recorder}`);
      // With a default device that works: it must not be taken instead.
      await using _ = await createVirtualMicrophone(SPEECH);
      await expect(lastValueFrom(microphone({ recorder, device: 'nonesuch' }))).rejects.toMatchObject({
        name: 'RxscribeError',
        code: 'audio-device',
        message: expect.stringMatching(new RegExp(`^Cannot record with ${recorder}: .*nonesuch`)),
      });
    },
  );

  test.each([
    [
      'the device is busy',
      "echo 'device or resource busy' >&2; exit 1",
      'audio-device',
      'device or resource busy',
    ],
    ['it is killed', 'head -c 100 /dev/zero; kill -9 $$', 'program-failed', 'it was killed by SIGKILL'],
    ['it ends by itself', 'head -c 101 /dev/zero', 'audio-device', 'it ended with exit code 0'],
  ])('after its audio, when %s', async (_, script, code, reason) => {
    await using _script = await installScript('arecord', script);
    let frames = 0;
    const recording = microphone({ recorder: 'arecord' }).pipe(
      tap(block => {
        frames += framesOf(block);
      }),
    );
    const message = `Cannot record with arecord: ${reason}.`;
    await expect(lastValueFrom(recording)).rejects.toMatchObject({ code, message });
    expect(frames).toBe(script.startsWith('head') ? 50 : 0);
  });

  test('no recorder at all', async () => {
    await using _ = await hidePrograms();
    for (const recorder of ['auto', 'arecord', 'rec', 'sox'] as const) {
      await expect(lastValueFrom(microphone({ recorder }))).rejects.toMatchObject({
        code: 'program-missing',
        message: expect.stringContaining('rxscribe doctor --fix'),
      });
    }
  });

  test.each(['arecord', 'rec'] as const)('an installed %s that cannot be started', async recorder => {
    await using _ = await installScript(recorder, '#!/nonexistent/shell', { alone: true });
    await expect(lastValueFrom(microphone({ recorder, device: 'some' }))).rejects.toMatchObject({
      code: 'program-missing',
    });
  });

  test('a recorder that sends nothing, at the start or later', async () => {
    const clock = new VirtualClock();
    await using _ = await installScript('arecord', 'head -c 100 /dev/zero; exec sleep 1000');
    const heard: number[] = [];
    const end = lastValueFrom(
      microphone({ recorder: 'arecord', stallTimeoutMs: 700, clock }).pipe(
        tap(() => heard.push(clock.now())),
      ),
    );
    await eventually(() => expect(heard.length).toBeGreaterThan(0));
    clock.advance(699);
    expect(clock.pending).toBe(1);
    clock.advance(1);
    await expect(end).rejects.toMatchObject({ code: 'timeout' });
    expect(clock.pending).toBe(0);
  });

  test.each([
    { sampleRate: Number.NaN },
    { sampleRate: 7999 },
    { sampleRate: 16_000.5 },
    { channels: 0 },
    { channels: 11 },
    { stallTimeoutMs: 0 },
    { stallTimeoutMs: Number.NaN },
  ])('an option that cannot be: %o', options => {
    expect(() => microphone(options)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });
});

test.each([
  ['is a gap and a warning', 400, 250.062],
  ['is no more than what is missing', 200, 200],
])('what arecord has lost %s', async (_, elapsedMs, lostMs) => {
  const directory = await temporaryDirectory();
  const [heard, reported] = [join(directory, 'heard'), join(directory, 'reported')];
  const until = (file: string) => `while [ ! -e ${file} ]; do sleep 0.01; done`;
  await using _script = await installScript(
    'arecord',
    `head -c 3200 /dev/zero; ${until(heard)}; echo 'overrun!!! (at least 250.062 ms long)' >&2
     ${until(reported)}; head -c 640 /dev/zero; exec sleep 1000`,
  );
  const clock = new VirtualClock();
  const warnings: AudioWarning[] = [];
  const onWarning = (warning: AudioWarning) => {
    warnings.push(warning);
    writeFileSync(reported, '');
  };
  let endFrame = 0;
  const isBeforeGap = (block: AudioBlock) => {
    if (block.startFrame > endFrame) return false;
    endFrame += framesOf(block);
    if (endFrame === 1600) {
      clock.advance(elapsedMs);
      writeFileSync(heard, '');
    }
    return true;
  };
  const recording = microphone({ recorder: 'arecord', onWarning, clock }).pipe(skipWhile(isBeforeGap));
  expect((await firstValueFrom(recording)).startFrame).toBe(1600 + Math.round(lostMs * 16));
  const message = `The machine was too busy to record: at least ${lostMs} ms of audio are lost.`;
  expect(warnings).toEqual([{ code: 'audio-damaged', message }]);
});

describe('unsubscribing leaves no recorder behind', () => {
  test.each([
    ['one that records', 'cat /dev/zero'],
    ['one that is silent', 'while true; do sleep 0.1; done'],
    ['one that will not be interrupted', 'trap "" TERM INT HUP; while true; do sleep 0.1; done'],
    ['one that has been stopped', 'kill -STOP $$'],
  ])('%s', async (_name, script) => {
    await using _ = await installScript('arecord', `exec 2>/dev/null; ${script}`);
    const clock = new VirtualClock();
    const subscription = microphone({ recorder: 'arecord', clock }).subscribe();
    await eventually(() => expect(childrenWith('arecord')).toHaveLength(1));
    const [pid] = childrenWith('arecord');
    subscription.unsubscribe();
    await eventually(() => expect(isGone(pid!)).toBe(true));
    expect(clock.pending).toBe(0);
  });

  test('a second subscriber starts another recorder', { tags: 'tools' }, async context => {
    if (noVirtualMicrophone) context.skip(noVirtualMicrophone);
    await using _ = await createVirtualMicrophone(SPEECH);
    const recording = microphone({ recorder: 'arecord' });
    const [first, second] = await Promise.all([firstValueFrom(recording), firstValueFrom(recording)]);
    expect([first.startFrame, second.startFrame]).toEqual([0, 0]);
  });
});

/** Lines of arecord 1.2.8 in some of its languages, among other lines. */
const SAID =
  "Recording raw data 'stdin'\noverrun!!! (at least 120.500 ms long)\n" +
  'Überlauf!!! (mindestens 30,250 ms lang)\noverrun !!! (au moins 1.000 ms de long)\n12 ms\n';

test('losses are read in every language', () => {
  expect(createOverrunReader()(SAID)).toBe(151.75);
});

test('losses are read once, however the messages are cut', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(SAID.length)), cuts => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), SAID.length];
      const read = createOverrunReader();
      const losses = edges.slice(1).map((end, i) => read(SAID.slice(edges[i]!, end)));
      expect(losses.reduce((sum, ms) => sum + ms, 0)).toBe(151.75);
    }),
  );
});

test('a recorder that says much without a line is not kept', () => {
  const read = createOverrunReader();
  expect(read('x'.repeat(1_000_000))).toBe(0);
  expect(read('\noverrun!!! (at least 2.000 ms long)\n')).toBe(2);
});
