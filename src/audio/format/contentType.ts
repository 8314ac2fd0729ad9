import { InvalidArgumentError } from '../../base/errors.ts';
import { BYTES_PER_SAMPLE, type PcmFormat, type SampleFormat } from './format.ts';

/** Order of the samples in raw PCM: frame by frame, or within one message channel by channel. */
export type SampleLayout = 'interleaved' | 'non-interleaved';

/** What a stream of audio bytes is: raw PCM with its format, a container, or `any`, which is found out from the bytes. */
export type AudioContentType =
  | {
      readonly kind: 'raw';
      readonly format: PcmFormat;
      readonly layout: SampleLayout;
    }
  | { readonly kind: 'wav' | 'flac' | 'mp3' | 'ogg' | 'any' };

export const SAMPLE_RATE_RANGE = { min: 8000, max: 48_000 } as const;
export const CHANNELS_RANGE = { min: 1, max: 10 } as const;

const RAW = 'audio/x-raw';
/** By kind; the first name is the one that is printed. */
const CONTAINERS = {
  wav: ['audio/x-wav', 'audio/wav'],
  flac: ['audio/x-flac', 'audio/flac'],
  mp3: ['audio/mpeg'],
  ogg: ['audio/ogg'],
  any: ['audio/*'],
} as const satisfies Record<string, readonly string[]>;
const CONTAINER_KINDS = Object.keys(CONTAINERS) as (keyof typeof CONTAINERS)[];

/** Every type that is not raw, for people. */
export const CONTAINER_TYPES: readonly string[] = Object.values(CONTAINERS).flat();

/**
 * Prints the `content_type` of a stream.
 *
 * @example
 * formatContentType({ kind: 'raw', layout: 'interleaved', format: { sampleFormat: 'S16LE', sampleRate: 16000, channels: 1 } })
 * // 'audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1'
 */
export function formatContentType(contentType: AudioContentType): string {
  if (contentType.kind !== 'raw') return CONTAINERS[contentType.kind][0];
  const { sampleFormat, sampleRate, channels } = contentType.format;
  return `${RAW};layout=${contentType.layout};rate=${sampleRate};format=${sampleFormat};channels=${channels}`;
}

/**
 * Reads the `content_type` of a stream. Parameters may stand in any order, with white space around them.
 *
 * @throws InvalidArgumentError for an unknown type, a missing parameter, or a value out of range
 */
export function parseContentType(text: string): AudioContentType {
  const [type = '', ...rest] = text.split(';').map(part => part.trim());
  const names: Readonly<Record<string, readonly string[]>> = CONTAINERS;
  const container = CONTAINER_KINDS.find(kind => names[kind]!.includes(type.toLowerCase()));
  if (container) return { kind: container };
  if (type.toLowerCase() !== RAW) {
    throw new InvalidArgumentError(
      `content type: expected ${RAW} with parameters, ${CONTAINER_TYPES.join(', ')}, found "${type.slice(0, 64)}"`,
    );
  }
  return parseRaw(parametersOf(rest));
}

function parametersOf(parts: readonly string[]): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of parts.filter(part => part !== '')) {
    const [name = '', value = ''] = part.split('=', 2).map(side => side.trim());
    parameters.set(name.toLowerCase(), value.replace(/^"(.*)"$/, '$1'));
  }
  return parameters;
}

function parseRaw(parameters: ReadonlyMap<string, string>): AudioContentType {
  const layout = parameters.get('layout')?.toLowerCase();
  if (layout !== 'interleaved' && layout !== 'non-interleaved') {
    throw new InvalidArgumentError('content type: layout must be interleaved or non-interleaved');
  }
  const sampleFormat = parameters.get('format')?.toUpperCase() ?? '';
  if (!Object.hasOwn(BYTES_PER_SAMPLE, sampleFormat)) {
    throw new InvalidArgumentError(
      `content type: format must be one of ${Object.keys(BYTES_PER_SAMPLE).join(', ')}`,
    );
  }
  const sampleRate = integerIn(parameters, 'rate', SAMPLE_RATE_RANGE);
  const channels = integerIn(parameters, 'channels', CHANNELS_RANGE);
  return {
    kind: 'raw',
    layout,
    format: {
      sampleFormat: sampleFormat as SampleFormat,
      sampleRate,
      channels,
    },
  };
}

function integerIn(
  parameters: ReadonlyMap<string, string>,
  name: string,
  range: { readonly min: number; readonly max: number },
): number {
  const text = parameters.get(name) ?? '';
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  throw new InvalidArgumentError(
    `content type: ${name} must be an integer from ${range.min} to ${range.max}`,
  );
}
