import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findProgram } from '../../src/audio/source/program.ts';

const PROGRAMS = ['arecord', 'pulseaudio', 'pactl', 'pacat'];

/** Reason why there can be no microphone of PulseAudio here, or undefined. */
export const noPulseMicrophone = PROGRAMS.every(program => findProgram(program))
  ? undefined
  : `needs ${PROGRAMS.join(', ')} (alsa-utils, libasound2-plugins, pulseaudio, pulseaudio-utils)`;

/** A microphone at 16 kHz that runs by the clock, as ALSA's default device. */
export interface PulseMicrophone extends AsyncDisposable {
  /** Plays 16-bit samples into the microphone; resolves at their end. */
  speak(samples: Int16Array): Promise<void>;
  /** Ends the daemon. */
  unplug(): Promise<void>;
  /** Starts the daemon again. */
  plugIn(): Promise<void>;
  /** Address of the daemon. */
  readonly server: string;
}

/**
 * Starts a sound daemon of its own on a private socket, whose one output is a room without walls: what is played into it
 * is what its microphone hears.
 */
export async function createPulseMicrophone(): Promise<PulseMicrophone> {
  const directory = await mkdtemp(join(tmpdir(), 'pulse-microphone-'));
  const server = `unix:${join(directory, 'native')}`;
  const config = join(directory, 'alsa.conf');
  const device = `{ type pulse server "${server}" }`;
  await writeFile(config, `</usr/share/alsa/alsa.conf>\npcm.!default ${device}\n`);
  const env = { ...process.env, HOME: directory, XDG_RUNTIME_DIR: directory, PULSE_SERVER: server };
  const start = () =>
    spawn('pulseaudio', daemonArguments(join(directory, 'native')), { env, stdio: 'ignore' });
  let daemon = start();
  const before = process.env.ALSA_CONFIG_PATH;
  process.env.ALSA_CONFIG_PATH = config;

  const player = () =>
    spawn(
      'pacat',
      [...'--playback --raw --format=s16le --rate=16000 --channels=1 --latency-msec=50'.split(' ')],
      {
        env,
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    );
  await untilAnswering(env);
  // Something that plays keeps the clock of the room fine: alone it renders blocks of two seconds.
  const silence = player();
  silence.stdin.on('error', () => {});
  const drip = setInterval(
    () => silence.stdin.writableLength < 32_000 && silence.stdin.write(Buffer.alloc(3200)),
    50,
  );

  return {
    async speak(samples) {
      const voice = player();
      // The first moments of a player may be lost.
      voice.stdin.write(Buffer.alloc(3200));
      voice.stdin.end(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
      await once(voice, 'exit');
    },
    unplug: () => end(daemon),
    async plugIn() {
      // A daemon that was killed has left its socket.
      await rm(join(directory, 'native'), { force: true });
      daemon = start();
      await untilAnswering(env);
    },
    server,
    async [Symbol.asyncDispose]() {
      clearInterval(drip);
      if (before === undefined) delete process.env.ALSA_CONFIG_PATH;
      else process.env.ALSA_CONFIG_PATH = before;
      await Promise.all([end(silence), end(daemon)]);
      await rm(directory, { recursive: true });
    },
  };
}

function daemonArguments(socket: string): string[] {
  return [
    ...'-n --daemonize=no --exit-idle-time=-1 --use-pid-file=no --disable-shm=yes'.split(' '),
    ...'--realtime=no --high-priority=no'.split(' '),
    ...['-L', `module-native-protocol-unix auth-anonymous=1 socket=${socket}`],
    ...['-L', 'module-null-sink sink_name=room format=s16le rate=16000 channels=1'],
  ];
}

async function untilAnswering(env: NodeJS.ProcessEnv): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (spawnSync('pactl', ['set-default-source', 'room.monitor'], { env, stdio: 'ignore' }).status === 0)
      return;
    await setTimeout(50);
  }
  throw new Error('pulseaudio does not answer');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
