import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OBSRequestTypes } from 'obs-websocket-js/json';
import { afterAll, beforeEach, expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openSession } from '../../src/captions/outputs/obs/obsConnection.ts';
import type { ObsSession } from '../../src/captions/outputs/obs/obsSession.ts';
import { eventually } from './eventually.ts';
import { freePorts } from './freePorts.ts';
import { needsProgram } from './needs.ts';

/** Size of the picture of {@link RealObs}. */
export const PICTURE = { width: 1280, height: 720 } as const;

/** The part of a picture that is not black, in pixels; `right` and `bottom` are outside. */
export interface LitBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Least brightness of a pixel that counts as lit, of 255. */
const LEAST_LIT = 40;

/** An input of OBS. */
type ShownInput = Pick<OBSRequestTypes['CreateInput'], 'inputName' | 'inputKind' | 'inputSettings'>;

/** Share of the picture outside the area that is safe for titles, at each side. */
export const SAFE = 0.05;
/** Share of the picture for two rows. */
const ROWS = 0.16;

/** OBS itself, which draws on a virtual screen. */
export interface RealObs extends AsyncDisposable {
  readonly url: string;
  readonly password: string;
  /** Sends a request by a connection of the test. */
  readonly call: ObsSession['call'];
  /** Adds a scene of this name with one input within the safe area, and shows it. */
  show(sceneName: string, input: ShownInput): Promise<void>;
  /** Returns what is lit in the picture of a scene or an input, or undefined for a black one. */
  litBox(sourceName: string): Promise<LitBox | undefined>;
  /** Streams to ffmpeg by RTMP. Returns a function that ends the stream, and resolves with it as an FLV file. */
  stream(): Promise<() => Promise<Buffer>>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts OBS for the tests of a file, which are skipped where it is missing. Returns a function that returns it. */
export function useRealObs(): () => RealObs {
  let obs: RealObs | undefined;
  beforeEach(async context => {
    for (const program of ['obs', 'Xvfb', 'ffmpeg']) needsProgram(context, program);
    obs ??= await startRealObs();
  });
  afterAll(() => obs?.[Symbol.asyncDispose]());
  return () => {
    if (!obs) throw new Error('OBS starts with the first test.');
    return obs;
  };
}

/** Values of the first start, which has a wizard without them. */
const globalSettings = (port: number, password: string) => `[General]
FirstRun=true
EnableAutoUpdates=false

[OBSWebSocket]
FirstLoad=false
ServerEnabled=true
ServerPort=${port}
AuthRequired=true
ServerPassword=${password}
AlertsEnabled=false
`;

const PROFILE = `[General]
Name=Untitled

[Video]
BaseCX=${PICTURE.width}
BaseCY=${PICTURE.height}
OutputCX=320
OutputCY=180
FPSType=0
FPSCommon=10

[SimpleOutput]
VBitrate=300
Preset=ultrafast
`;

async function startRealObs(): Promise<RealObs> {
  await using stack = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), 'real-obs-'));
  stack.defer(() => rm(home, { recursive: true, force: true, maxRetries: 10 }));
  const [port] = await freePorts(1);
  const password = 'secret';
  const profile = join(home, 'obs-studio/basic/profiles/Untitled');
  await mkdir(profile, { recursive: true });
  await writeFile(join(home, 'obs-studio/global.ini'), globalSettings(port!, password));
  await writeFile(join(profile, 'basic.ini'), PROFILE);
  const screenSize = `${PICTURE.width}x${PICTURE.height}x24`;
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', screenSize, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  stack.defer(() => end(screen));
  const [display] = await once(screen.stdio[3]!, 'data');
  const places = { HOME: home, XDG_CONFIG_HOME: home, XDG_RUNTIME_DIR: home };
  const drawing = { DISPLAY: `:${String(display).trim()}`, LIBGL_ALWAYS_SOFTWARE: '1' };
  const env = { ...process.env, ...places, ...drawing, PULSE_SERVER: 'unix:/nonexistent' };
  const url = `ws://127.0.0.1:${port}`;
  let program: ChildProcess | undefined;
  let session: ObsSession;
  const kill = async () => program && end(program);
  stack.defer(kill);

  async function start(): Promise<void> {
    program = spawn('obs', ['--multi', '--minimize-to-tray', '--disable-shutdown-check'], {
      env,
      stdio: 'ignore',
    });
    session = await eventually(() => openSession({ url, password, timeoutMs: 60_000, clock: systemClock }));
  }

  const call: ObsSession['call'] = (type, data) => session.call(type, data);
  await start();
  const owned = stack.move();
  return {
    url,
    password,
    call,
    start,
    kill,
    stream: () => stream(call, join(home, 'stream.flv')),
    async show(sceneName, input) {
      await call('CreateScene', { sceneName });
      await call('SetCurrentProgramScene', { sceneName });
      const { sceneItemId } = await call('CreateInput', { sceneName, ...input });
      const sceneItemTransform = {
        positionX: PICTURE.width * SAFE,
        positionY: PICTURE.height * (1 - SAFE - ROWS),
      };
      await call('SetSceneItemTransform', { sceneName, sceneItemId, sceneItemTransform });
    },
    async litBox(sourceName) {
      const { imageData } = await call('GetSourceScreenshot', { sourceName, imageFormat: 'ppm' });
      return litBoxOf(Buffer.from(imageData.slice(imageData.indexOf(',') + 1), 'base64'));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function stream(call: ObsSession['call'], path: string): Promise<() => Promise<Buffer>> {
  const [port] = await freePorts(1);
  const server = `rtmp://127.0.0.1:${port}/live`;
  const args = ['-y', '-listen', '1', '-i', `${server}/key`, '-c', 'copy', path];
  const receiver = spawn('ffmpeg', args, { stdio: 'ignore' });
  onTestFinished(() => end(receiver));
  const received = once(receiver, 'exit');
  // A connection to find out whether ffmpeg listens would be the one that it accepts.
  const listening = `:${port!.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`;
  await eventually(async () => expect(await readFile('/proc/net/tcp', 'utf8')).toContain(listening));
  const streamServiceSettings = { server, key: 'key' };
  await call('SetStreamServiceSettings', { streamServiceType: 'rtmp_custom', streamServiceSettings });
  await call('StartStream');
  await eventually(async () => expect((await call('GetStreamStatus')).outputActive).toBe(true));
  return async () => {
    await call('StopStream');
    await received;
    return readFile(path);
  };
}

/** Returns what is lit in a binary PPM with 8 bits a channel. */
function litBoxOf(image: Buffer): LitBox | undefined {
  const [head, columns] = /^P6\s+(\d+)\s+\d+\s+255\s/.exec(image.toString('latin1', 0, 30))!;
  const [reds, width] = [image.subarray(head.length), Number(columns)];
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (let pixel = 0; pixel * 3 < reds.length; pixel++) {
    if (reds[pixel * 3]! < LEAST_LIT) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  return right === 0 ? undefined : { left, top, right, bottom };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
