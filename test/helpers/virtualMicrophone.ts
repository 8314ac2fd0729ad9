import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../src/audio/source/program.ts';

/** Why there can be no virtual microphone here, or undefined. */
export const noVirtualMicrophone =
  process.platform === 'linux' && findProgram('arecord') ? undefined : 'needs arecord of alsa-utils';

/** Hz, of one channel. */
export const VIRTUAL_MICROPHONE_RATE = 16_000;

/** A device of ALSA that no hardware and no daemon stands behind. */
export interface VirtualMicrophone extends AsyncDisposable {
  /** The name for recorders; it is also the default device. */
  readonly device: string;
}

/**
 * Makes ALSA, for this process and its children, a microphone that hears these 16-bit samples and then silence, as fast
 * as it is asked.
 *
 * @example
 * await using microphone = await createVirtualMicrophone(samples);
 */
export async function createVirtualMicrophone(samples: Int16Array): Promise<VirtualMicrophone> {
  const directory = await mkdtemp(join(tmpdir(), 'virtual-microphone-'));
  const heard = join(directory, 'heard.raw');
  const config = join(directory, 'alsa.conf');
  // The silence: at its end the device repeats its last period for ever.
  const silence = new Int16Array(VIRTUAL_MICROPHONE_RATE);
  await writeFile(heard, Buffer.concat([bytesOf(samples), bytesOf(silence)]));
  await writeFile(config, configuration(heard));
  const before = process.env.ALSA_CONFIG_PATH;
  process.env.ALSA_CONFIG_PATH = config;
  return {
    device: 'virtual_microphone',
    async [Symbol.asyncDispose]() {
      if (before === undefined) delete process.env.ALSA_CONFIG_PATH;
      else process.env.ALSA_CONFIG_PATH = before;
      await rm(directory, { recursive: true });
    },
  };
}

function bytesOf(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

function configuration(heard: string): string {
  return `
</usr/share/alsa/alsa.conf>
pcm.virtual_file {
  type file
  slave.pcm "null"
  file "/dev/null"
  infile "${heard}"
  format "raw"
}
pcm.virtual_microphone {
  type plug
  slave { pcm "virtual_file" format S16_LE rate ${VIRTUAL_MICROPHONE_RATE} channels 1 }
}
pcm.!default { type asym capture.pcm "virtual_microphone" playback.pcm "null" }
`;
}
