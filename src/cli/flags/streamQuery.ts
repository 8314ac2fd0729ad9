import { STREAM_OPTIONS, type StreamOptions } from '../../protocol/streamQuery.ts';

const NAMES = Object.keys(STREAM_OPTIONS) as (keyof StreamOptions)[];

/** Returns the flags that are options of a stream; the others are for this side. */
export function streamQueryOf(flags: StreamOptions): StreamOptions {
  return Object.fromEntries(
    NAMES.flatMap(name => (flags[name] === undefined ? [] : [[name, flags[name]] as const])),
  );
}
