// @module-tag tools
import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import type { CaptionStep } from '../../../../src/captions/captionStep.ts';
import { openSession } from '../../../../src/captions/outputs/obs/obsConnection.ts';
import type { ObsOutputOptions } from '../../../../src/captions/outputs/obs/obsOptions.ts';
import { checkObs, obsOutput } from '../../../../src/captions/outputs/obs/obsOutput.ts';
import { cli, startCommand } from '../../../helpers/commandLine.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { flvCaptions } from '../../../helpers/flvCaptions.ts';
import { startObs } from '../../../helpers/obsServer.ts';
import { type LitBox, PICTURE, SAFE, useRealObs } from '../../../helpers/realObs.ts';
import { decode608 } from '../../../helpers/sccCaptions.ts';
import {
  connectedMessage,
  endPolitely,
  partialMessage,
  startStreamService,
} from '../../../helpers/streamService.ts';
import { says } from '../page/pageClient.ts';

const obs = useRealObs();

const TEXT_KIND = 'text_ft2_source_v2';
/** Size of letters that README names for a text source, in a picture of 1080 rows, here of 720. */
const font = { face: 'Sans Serif', size: Math.round((64 * PICTURE.height) / 1080) };
const SENTENCE = 'And Mr. John Dashwood had then leisure to consider how much there might be prudently';

/** Seconds from the words to the end of their transmission, which takes up to 1.5 s, on a busy machine. */
const MAX_LATE_SECONDS = 4;

/** Creates an output, closed with the test, and its notes. */
function openOutput(options: Omit<ObsOutputOptions, 'url' | 'password'>) {
  const { url, password } = obs();
  const notes: string[] = [];
  const output = obsOutput({
    url,
    password,
    onNote: note => notes.push(note),
    timeoutMs: 60_000,
    ...options,
  });
  onTestFinished(() => output.close());
  return { output, notes };
}

const textOf = async (inputName: string) =>
  (await obs().call('GetInputSettings', { inputName })).inputSettings.text;

const untilText = (inputName: string, text: string) =>
  eventually(async () => expect(await textOf(inputName)).toBe(text));

/** Waits for a picture, which OBS draws later than it answers. */
const untilLit = (scene: string, isWanted: (box: LitBox) => boolean) =>
  eventually(async () => {
    const box = await obs().litBox(scene);
    expect(box && isWanted(box)).toBe(true);
    return box!;
  });

describe('a text source of OBS itself', { timeout: 180_000 }, () => {
  test('shows captions word by word, within the safe area, and nothing after their end', async () => {
    const { show, litBox, url, password } = obs();
    await show('Hall', {
      inputName: 'Words',
      inputKind: TEXT_KIND,
      inputSettings: { font, text: 'Yesterday' },
    });
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      await endPolitely(peer);
    });
    const speech = (await readFile('samples/sense-and-sensibility.wav')).subarray(0, 640_000);
    await using running = startCommand(
      cli`caption - --speed max ${service.args} --obs ${url} --obs-password ${password} --obs-source Words`,
      { stdin: speech, staysOpen: true },
    );
    await eventually(() => expect(service.peers).toHaveLength(1));
    await untilText('Words', '');
    const said = SENTENCE.split(' ');
    // Words are certain once three partials have them, with one behind them.
    const say = (count: number) => {
      const text = said.slice(0, count).join(' ');
      for (const last of ['the', 'them', 'there'])
        service.peers[0]!.say(partialMessage(`${text} ${last}`, 0.2, 0.2 + count / 4));
    };
    say(3);
    const first = await untilLit('Hall', () => true);
    say(6);
    const second = await untilLit('Hall', ({ right }) => right > first.right);
    say(said.length);
    const rowHeight = second.bottom - second.top;
    const all = await untilLit('Hall', ({ top, bottom }) => bottom - top > 1.5 * rowHeight);
    expect(String(await textOf('Words')).replace('\n', ' ')).toBe(SENTENCE);
    for (const { left, right, top, bottom } of [first, second, all]) {
      expect(left).toBeGreaterThanOrEqual(SAFE * PICTURE.width);
      expect(right).toBeLessThanOrEqual((1 - SAFE) * PICTURE.width);
      expect(top).toBeGreaterThanOrEqual(SAFE * PICTURE.height);
      expect(bottom).toBeLessThanOrEqual((1 - SAFE) * PICTURE.height);
    }
    running.interrupt();
    expect(await running.done).toMatchObject({ code: 130 });
    expect(await textOf('Words')).toBe('');
    await eventually(async () => expect(await litBox('Hall')).toBeUndefined());
  });

  test('is named while it is missing, and used as soon as it exists', async () => {
    const { call, show } = obs();
    const { output, notes } = openOutput({ source: 'Late' });
    const missing = "Output obs fails: OBS has no source 'Late'. Add a text source of this name to a scene.";
    const works = 'Output obs works again.';
    output.take(says('One.'));
    await eventually(() => expect(notes).toEqual([missing]));
    await show('Late scene', { inputName: 'Late', inputKind: TEXT_KIND, inputSettings: { font } });
    await untilText('Late', 'One.');
    await eventually(() => expect(notes).toEqual([missing, works]));
    await call('SetInputName', { inputName: 'Late', newInputName: 'Later' });
    await eventually(() => expect(notes).toEqual([missing, works, missing]));
    output.take(says('Two.'));
    await call('SetInputName', { inputName: 'Later', newInputName: 'Late' });
    await untilText('Late', 'One. Two.');
    await eventually(() => expect(notes).toHaveLength(4));
    await call('RemoveInput', { inputName: 'Late' });
    // OBS keeps a removed source for a moment, and its text.
    await eventually(() => {
      output.take(says('on'));
      expect(notes.slice(3)).toEqual([works, missing]);
    });
  });

  test.each([
    ['of another kind', { inputKind: 'color_source_v3' }, "of kind 'color_source_v3'. Name a text source."],
    ['that reads a file', { inputKind: TEXT_KIND, inputSettings: { from_file: true } }, 'from a file'],
  ])('is refused %s', async (inputName, input, message) => {
    await obs().show(`Scene ${inputName}`, { inputName, ...input });
    const { notes } = openOutput({ source: inputName });
    await eventually(() => expect(notes[0]).toContain(message));
  });

  test('is found by a check, which names a scene instead of a source', async () => {
    const { show, url, password } = obs();
    await show('Check', { inputName: 'Found', inputKind: TEXT_KIND });
    const check = (source: string) => checkObs({ url, password, source });
    expect(await check('Found')).toMatch(
      /^OBS \d+\.\S+ \(obs-websocket 5\.\S+\), text source 'Found' found, not streaming\.$/,
    );
    await expect(check('Check')).rejects.toThrow("Source 'Check' of OBS is a scene or a group.");
    await expect(checkObs({ url, password: 'wrong', source: 'Found' })).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  test('goes on after OBS was killed and started again', async () => {
    const { kill, show, start } = obs();
    const input = { inputName: 'Kept', inputKind: TEXT_KIND, inputSettings: { font } };
    await show('Before', input);
    const { output, notes } = openOutput({ source: 'Kept' });
    output.take(says('Before,'));
    await untilText('Kept', 'Before,');
    await kill();
    output.take(says('while,'));
    await eventually(() => expect(notes).not.toEqual([]));
    await start();
    // OBS saves its scenes some moments after their change.
    await textOf('Kept').catch(() => show('After', input));
    await untilText('Kept', 'Before, while,');
    output.take(says('after.'));
    await untilText('Kept', 'Before, while, after.');
    await untilLit('Kept', () => true);
    expect(notes.at(-1)).toBe('Output obs works again.');
  });
});

test('an input that is followed is on air while it is neither muted nor out of the scene', async () => {
  const { call, show } = obs();
  await show('Speaker', { inputName: 'Mic', inputKind: 'pulse_input_capture' });
  const { output } = openOutput({ follow: { input: 'Mic', inScene: true } });
  const states: boolean[] = [];
  output.onAir$.subscribe(isOnAir => states.push(isOnAir));
  await eventually(() => expect(states).toEqual([false, true]));
  await call('SetInputMute', { inputName: 'Mic', inputMuted: true });
  await eventually(() => expect(states).toEqual([false, true, false]));
  await call('SetInputMute', { inputName: 'Mic', inputMuted: false });
  await eventually(() => expect(states).toEqual([false, true, false, true]));
  await show('Break', { inputName: 'Mute', inputKind: TEXT_KIND });
  await eventually(() => expect(states).toEqual([false, true, false, true, false]));
  const { notes } = openOutput({ follow: { input: 'Mute' } });
  await eventually(() => expect(notes).toEqual(["Output obs fails: OBS has no audio input 'Mute'."]));
});

test('captions in the stream of OBS itself have the words soon after they are said, and end with them', async () => {
  const { call, show, stream } = obs();
  await show('Picture', { inputName: 'Blue', inputKind: 'color_source_v3' });
  const { output, notes } = openOutput({ captions: true });
  output.take(says('Early.'));
  await eventually(() => expect(notes).toHaveLength(1));
  const stop = await stream();
  const streamSeconds = async () => (await call('GetStreamStatus')).outputDuration / 1000;
  const until = (seconds: number) =>
    eventually(async () => expect(await streamSeconds()).toBeGreaterThan(seconds));
  const times: number[] = [];
  const take = async (step: CaptionStep) => {
    times.push(await streamSeconds());
    output.take(step);
    await until(times.at(-1)! + MAX_LATE_SECONDS);
  };
  await until(MAX_LATE_SECONDS);
  await take(says('A café, it’s'));
  await take(says('there, where two rows are'));
  await take(says('not enough for all of the words.'));
  await take({ type: 'off' });
  const captions = decode608(flvCaptions(await stop()));
  expect(captions.map(({ rows }) => rows)).toEqual([
    ['Early.'],
    ["Early. A café, it's"],
    ["Early. A café, it's there, where", 'two rows are'],
    ['two rows are not enough for all', 'of the words.'],
  ]);
  expect(captions.map(({ places }) => places)).toEqual([[0], [0], [0, 1], [0, 1]]);
  const changes = [...captions.slice(1).map(({ ts }) => ts), captions.at(-1)!.endTs];
  for (const [index, seconds] of changes.entries()) {
    expect(seconds - times[index]!).toBeGreaterThan(-0.5);
    expect(seconds - times[index]!).toBeLessThan(MAX_LATE_SECONDS);
  }
});

test('the server of other tests answers as OBS does', async () => {
  const { call, show } = obs();
  const server = await startObs();
  const session = await openSession({ url: server.url, timeoutMs: 60_000, clock: systemClock });
  onTestFinished(() => session.end(undefined));
  const inputSettings = { text: 'Alike' };
  await show('Twins', { inputName: 'Twin', inputKind: TEXT_KIND, inputSettings });
  await show('Sounds', { inputName: 'Sound', inputKind: 'pulse_input_capture' });
  server.addInput('Twin', TEXT_KIND, inputSettings);
  server.addInput('Sound', 'pulse_input_capture');
  type Call = (type: string, data: object) => Promise<object | undefined>;
  const answer = (each: unknown, type: string, data: object) =>
    (each as Call)(type, data).catch(({ code, message }) => ({ code, message }));
  for (const [type, data] of [
    ['GetInputSettings', { inputName: 'Twin' }],
    ['GetInputSettings', { inputName: 'Nobody' }],
    ['GetInputSettings', { inputName: 'Scene' }],
    ['GetInputSettings', {}],
    ['SetInputSettings', { inputName: 'Twin', inputSettings: { text: '' }, overlay: true }],
    ['SetInputSettings', { inputName: 'Nobody', inputSettings }],
    ['SetInputSettings', { inputName: 'Scene', inputSettings }],
    ['GetInputMute', { inputName: 'Sound' }],
    ['GetInputMute', { inputName: 'Twin' }],
    ['GetInputMute', { inputName: 'Scene' }],
    ['GetSourceActive', { sourceName: 'Sound' }],
    ['GetSourceActive', { sourceName: 'Nobody' }],
    ['GetStreamStatus', {}],
    ['SendStreamCaption', { captionText: 'Nobody sees it.' }],
    ['SendStreamCaption', {}],
    ['Nonsense', {}],
  ] as const) {
    const ofServer = await answer(session.call.bind(session), type, data);
    const itself = await answer(call, type, data);
    expect([type, data, itself ?? {}]).toMatchObject([type, data, ofServer ?? {}]);
  }
});
