import { InvalidArgumentError, refuseIf } from '../../base/errors.ts';
import { BYTES_PER_SAMPLE, type PcmFormat, type SampleFormat } from './format.ts';

/** Order of the samples in raw PCM: frame by frame, or channel by channel within each message. */
export type SampleLayout = 'interleaved' | 'non-interleaved';

/** The type of a stream of audio bytes: raw PCM with its format, a container, or `any`, which is detected from the bytes. */
export type AudioContentType =
  | {
      readonly kind: 'raw';
      readonly format: PcmFormat;
      readonly layout: SampleLayout;
    }
  | { readonly kind: 'wav' | 'flac' | 'mp3' | 'ogg' | 'any' };

/** Sample rates of the streaming interface, in Hz. */
export const SAMPLE_RATE_RANGE = { min: 8000, max: 48_000 } as const;
/** Numbers of channels of the streaming interface. */
export const CHANNELS_RANGE = { min: 1, max: 10 } as const;

/** @throws InvalidArgumentError when a value is not an integer of a range */
export function requireIntegerIn(
  name: string,
  value: number | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  if (value !== undefined && Number.isInteger(value) && value >= min && value <= max) return;
  throw new InvalidArgumentError(`${name} must be an integer from ${min} to ${max}, not ${value}.`);
}

const RAW = 'audio/x-raw';
/** Media types by kind; the first one is printed. */
const CONTAINERS = {
  wav: ['audio/x-wav', 'audio/wav'],
  flac: ['audio/x-flac', 'audio/flac'],
  mp3: ['audio/mpeg'],
  ogg: ['audio/ogg'],
  any: ['audio/*'],
} as const satisfies Record<string, readonly string[]>;
const CONTAINER_KINDS = Object.keys(CONTAINERS) as (keyof typeof CONTAINERS)[];

/** Media types of all containers. */
export const CONTAINER_TYPES: readonly string[] = Object.values(CONTAINERS).flat();

/**
 * Formats the `content_type` query parameter of a stream.
 *
 * @example
 * const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
 * formatContentType({ kind: 'raw', layout: 'interleaved', format });
 * // 'audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1'
 */
export function formatContentType(contentType: AudioContentType): string {
  if (contentType.kind !== 'raw') return CONTAINERS[contentType.kind][0];
  const { sampleFormat, sampleRate, channels } = contentType.format;
  return `${RAW};layout=${contentType.layout};rate=${sampleRate};format=${sampleFormat};channels=${channels}`;
}

/**
 * Parses the `content_type` query parameter of a stream. Parameters may come in any order, with white space around them.
 *
 * @throws InvalidArgumentError for an unknown type, a missing parameter, or a value out of range
 * @example
 * parseContentType('audio/x-flac'); // { kind: 'flac' }
 */
export function parseContentType(text: string): AudioContentType {
  const [type = '', ...rest] = text.split(';').map(part => part.trim());
  const names: Readonly<Record<string, readonly string[]>> = CONTAINERS;
  const container = CONTAINER_KINDS.find(kind => names[kind]!.includes(type.toLowerCase()));
  if (container) return { kind: container };
  refuseIf(
    type.toLowerCase() !== RAW,
    `Content type '${type.slice(0, 64)}' is not supported (supported: ${RAW} with parameters, ${CONTAINER_TYPES.join(', ')}).`,
  );
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
    throw new InvalidArgumentError(
      "Parameter 'layout' of the content type must be interleaved or non-interleaved.",
    );
  }
  const sampleFormat = parameters.get('format')?.toUpperCase() ?? '';
  refuseIf(
    !Object.hasOwn(BYTES_PER_SAMPLE, sampleFormat),
    `Parameter 'format' of the content type must be one of ${Object.keys(BYTES_PER_SAMPLE).join(', ')}.`,
  );
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
    `Parameter '${name}' of the content type must be an integer from ${range.min} to ${range.max}.`,
  );
}
