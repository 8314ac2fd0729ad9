import type { TranscribeOptions } from '../../client/stream/options.ts';
import { parseStreamQuery, type StreamQuery } from '../../protocol/streamQuery.ts';
import type { Cassette } from '../cassette/cassette.ts';

/** What a stream is asked for. */
export type RecordedOptions = Omit<StreamQuery, 'contentType'> & Pick<TranscribeOptions, 'sampleFormat'>;

/** What the service was asked for when a cassette was recorded; nothing where it never was, or in ways unknown. */
export function recordedOptions({ lines }: Pick<Cassette, 'lines'>): RecordedOptions {
  const connect = lines.find(line => line.type === 'connect');
  if (!connect?.query.content_type) return {};
  const { contentType, ...query } = parseStreamQuery(new URLSearchParams(connect.query));
  return { ...query, ...(contentType.kind === 'raw' && { sampleFormat: contentType.format.sampleFormat }) };
}
