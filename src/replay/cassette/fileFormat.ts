import type { PcmFormat } from '../../audio/format/format.ts';
import type { AudioLine } from './cassette.ts';

/** The format of an audio line, as programs have it. */
export function formatOf({ format }: Pick<AudioLine, 'format'>): PcmFormat {
  const { sample_format, sample_rate, channels } = format;
  return { sampleFormat: sample_format, sampleRate: sample_rate, channels };
}

/** Audio files have no S16BE. */
export function asInFile(format: PcmFormat): PcmFormat {
  return format.sampleFormat === 'S16BE' ? { ...format, sampleFormat: 'S16LE' } : format;
}
