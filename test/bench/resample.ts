import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { encodePcm } from '../../src/audio/pcm/pcm.ts';
import { createResampler } from '../../src/audio/resample/resampler.ts';
import { type Rates, toneResponse } from '../helpers/toneResponse.ts';

const RATES: readonly Rates[] = [
  { inputRate: 48_000, outputRate: 16_000 },
  { inputRate: 44_100, outputRate: 16_000 },
  { inputRate: 22_050, outputRate: 16_000 },
  { inputRate: 8000, outputRate: 16_000 },
  { inputRate: 16_000, outputRate: 8000 },
  { inputRate: 48_000, outputRate: 8000 },
  { inputRate: 47_999, outputRate: 16_000 },
];

const WARM_UP_CPU_SECONDS = 0.2;
const MEASURED_CPU_SECONDS = 0.5;
const FFMPEG_AUDIO_SECONDS = 600;

/** Speed as seconds of mono audio in a second of processor time, of blocks of 100 ms; and what it does to tones. */
export async function run(): Promise<void> {
  const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
  const rows = [];
  for (const rates of RATES) {
    rows.push({
      rates: `${rates.inputRate} to ${rates.outputRate}`,
      'rxscribe x': Math.round(speedOf(rates)),
      'ffmpeg soxr x': hasFfmpeg ? Math.round(await speedOfFfmpeg(rates)) : 'not installed',
      ...quality(rates),
    });
  }
  console.table(rows);
}

function speedOf(rates: Rates): number {
  const resampler = createResampler({ ...rates, channels: 1 });
  const block = noise(rates.inputRate / 10);
  const measure = (cpuSeconds: number) => {
    const start = process.cpuUsage();
    let blocks = 0;
    while (cpuSecondsSince(start) < cpuSeconds) {
      for (let i = 0; i < 20; i++) resampler.process(block);
      blocks += 20;
    }
    return blocks / 10 / cpuSecondsSince(start);
  };
  measure(WARM_UP_CPU_SECONDS);
  return measure(MEASURED_CPU_SECONDS);
}

/** The processor time of the child, and of this process for the pipes. */
async function speedOfFfmpeg({ inputRate, outputRate }: Rates): Promise<number> {
  const raw = ['-f', 's16le', '-ac', '1'];
  const filter = ['-af', 'aresample=resampler=soxr'];
  const args = ['-benchmark', '-nostats', ...raw, '-ar', `${inputRate}`, '-i', '-'];
  const child = spawn('ffmpeg', [...args, ...filter, ...raw, '-ar', `${outputRate}`, '-']);
  const report = text(child.stderr);
  const start = process.cpuUsage();
  child.stdout.resume();
  const second = encodePcm(noise(inputRate), 'S16LE');
  for (let i = 0; i < FFMPEG_AUDIO_SECONDS; i++) {
    if (!child.stdin.write(second)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  await once(child, 'close');
  const own = cpuSecondsSince(start);
  const [, user, system] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(await report) ?? [];
  return FFMPEG_AUDIO_SECONDS / (own + Number(user) + Number(system));
}

function quality(rates: Rates): Record<string, string> {
  const { inputRate, outputRate } = rates;
  const nyquist = Math.min(inputRate, outputRate) / 2;
  const resample = (input: Float32Array) => {
    const resampler = createResampler({ ...rates, channels: 1 });
    return Float32Array.from([...resampler.process(input), ...resampler.flush()]);
  };
  const responses = (from: number, to: number) =>
    Array.from({ length: 80 }, (_, i) =>
      toneResponse(resample, rates, from + ((to - from) * (i + 0.5)) / 80),
    );
  const passBand = responses(0, 0.8 * nyquist);
  const all = [
    ...responses(0, nyquist),
    ...(outputRate < inputRate ? responses(nyquist, inputRate / 2) : []),
  ];
  return {
    'alias dB': Math.max(...all.map(({ residueDb }) => residueDb)).toFixed(1),
    'ripple dB': Math.max(...passBand.map(({ gainDb }) => Math.abs(gainDb))).toFixed(5),
    'delay ms': ((createResampler({ ...rates, channels: 1 }).delayFrames * 1000) / inputRate).toFixed(2),
  };
}

function noise(length: number): Float32Array {
  return Float32Array.from({ length }, () => Math.random() - 0.5);
}

function cpuSecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
