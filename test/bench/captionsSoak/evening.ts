import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { RoomView } from '../../../src/captions/control/operatorMessage.ts';
import { connectViewer } from '../../captions/outputs/page/pageClient.ts';
import { startProcess } from '../../helpers/commandLine.ts';
import { createPulseMicrophone } from '../../helpers/pulseMicrophone.ts';
import { OPERATOR_FLAGS, Operator } from './operator.ts';
import { textOf } from './viewers.ts';

const SAMPLE = 'samples/sense-and-sensibility.wav';
/** Longest time of a step in milliseconds. */
const STEP_MS = 60_000;
const POLL_MS = 50;

const pactl = (...args: string[]) => execFileSync('pactl', args, { encoding: 'utf8' }).trim();

/**
 * Captions two microphones of a sound server, in two rooms of one process, while an operator works: a hook ends, the
 * captions are taken over and handed back in mid-sentence, a microphone is unplugged, and all rooms are killed. Resolves with the
 * seconds that each step took.
 */
export async function evening(directory: string): Promise<Readonly<Record<string, string>>> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await createPulseMicrophone());
  process.env.PULSE_SERVER = server.server;
  stack.defer(() => void delete process.env.PULSE_SERVER);
  const plugIn = () => pactl('load-module', 'module-null-sink', 'sink_name=desk', 'rate=16000', 'channels=1');
  let desk = plugIn();
  let voice = speak('desk');
  const other = speak('room');
  stack.defer(() => {
    for (const child of [voice, other]) stop(child);
  });
  const config = join(directory, 'evening.yaml');
  const hook = join(directory, 'hook.sh');
  const writeHook = () => writeFile(hook, 'exec sed -u s/Mister/Mr./g\n');
  await writeHook();
  await writeFile(config, CONFIG.replace('HOOK', hook));
  const {
    done,
    process: running,
    errorLine,
  } = stack.use(startProcess(['caption', '--config', config, '--page', '0', ...OPERATOR_FLAGS]));
  const [, page] = /^Captions: (.*)$/.exec(await errorLine(/^Captions: /))!;
  await errorLine(/\/annex$/);
  const port = Number(new URL(page!).port);
  const operator = new Operator(port, 'hall');
  const operators = [operator, new Operator(port, 'annex')];
  const [hall, annex] = await Promise.all(
    ['hall', 'annex'].map(name => connectViewer(new URL(`${name}/`, page).href)),
  );
  const wordsOf = (viewer: typeof hall) => textOf(viewer!.text).split(' ').length;
  const rows: Record<string, string> = {};
  const step = async (name: string, isDone: () => boolean | Promise<boolean>) => {
    const sinceMs = performance.now();
    while (performance.now() - sinceMs < STEP_MS && !(await isDone())) await setTimeout(POLL_MS);
    const ms = performance.now() - sinceMs;
    rows[name] = ms < STEP_MS ? `${(ms / 1000).toFixed(1)} s` : 'never';
  };
  const failureOf = ({ state }: RoomView) =>
    state.outputs.find(({ name }) => name === 'page/hall-hook')?.failure;
  const hallIs = async (is: (room: RoomView) => boolean) => is(await operator.view());

  await step('words in both rooms after the start', () => [hall, annex].every(each => wordsOf(each) > 5));
  await rm(hook);
  execFileSync('pkill', ['-KILL', '-P', String(running.pid), '-x', 'sed']);
  await step('a hook that has ended is red', () => hallIs(room => failureOf(room) !== undefined));
  await writeHook();
  await step('and works again', () => hallIs(room => failureOf(room) === undefined));
  await operator.perform({ type: 'take-over' });
  await operator.perform({ type: 'type', text: 'By hand.' });
  await step('typed text is read', () => textOf(hall!.text).includes('By hand.'));
  await setTimeout(5000);
  const typed = textOf(hall!.text);
  await operator.perform({ type: 'hand-back' });
  await step('words after the captions were handed back in mid-sentence', () => textOf(hall!.text) !== typed);
  pactl('unload-module', desk);
  stop(voice);
  await step('another microphone is red', () =>
    hallIs(({ figures }) => figures?.microphone?.isOther === true),
  );
  desk = plugIn();
  voice = speak('desk');
  await step('and the wanted one is taken back', () =>
    hallIs(({ figures }) => figures?.microphone?.isOther === false),
  );
  for (const each of operators) await each.perform({ type: 'kill' });
  await step('all rooms are empty after a kill', () =>
    [hall, annex].every(each => textOf(each!.text) === ''),
  );
  for (const each of operators) await each.perform({ type: 'start' });
  await step('words in both rooms after the start', () => [hall, annex].every(each => wordsOf(each) > 5));
  await Promise.all([hall, annex].map(viewer => viewer!.close()));
  running.kill('SIGINT');
  await done;
  return rows;
}

const CONFIG = `
rooms:
  - { name: hall, mic: true, device: 'pulse:desk.monitor', hook: 'sh HOOK' }
  - { name: annex, mic: true, device: 'pulse:room.monitor' }
`;

/** Plays the sample again and again into a sink. */
function speak(sink: string): ChildProcess {
  const decode = `ffmpeg -loglevel quiet -re -stream_loop -1 -i ${SAMPLE} -f s16le -ar 16000 -ac 1 -`;
  const play = `pacat --playback --device=${sink} --raw --format=s16le --rate=16000 --channels=1 --latency-msec=50`;
  return spawn('sh', ['-c', `${decode} | ${play}`], { stdio: 'ignore', detached: true });
}

/** Ends all programs of a player. */
function stop({ pid }: ChildProcess): void {
  process.kill(-pid!, 'SIGKILL');
}
