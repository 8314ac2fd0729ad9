import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface LiveVideoOptions {
  readonly directory: string;
  readonly seconds: number;
  readonly segmentSeconds: number;
  /** Arguments that choose the codec and the kind of segments. */
  readonly format: readonly string[];
  /** False to encode as fast as possible. Default true. */
  readonly isLive?: boolean;
}

/** Starts ffmpeg, which encodes a test picture to `video.m3u8`, in real time. */
export function startLiveVideo({
  directory,
  seconds,
  segmentSeconds,
  format,
  isLive = true,
}: LiveVideoOptions): ChildProcess {
  const source = [
    ...(isLive ? ['-re'] : []),
    '-f',
    'lavfi',
    '-i',
    `testsrc=size=160x90:rate=10:duration=${seconds}`,
  ];
  const keys = ['-g', String(segmentSeconds * 10), '-keyint_min', String(segmentSeconds * 10)];
  const list = ['-hls_time', String(segmentSeconds), '-hls_list_size', '12'];
  const flags = ['-hls_flags', 'delete_segments+program_date_time', '-hls_delete_threshold', '3'];
  const args = [
    '-nostdin',
    '-loglevel',
    'error',
    ...source,
    ...format,
    ...keys,
    '-f',
    'hls',
    ...list,
    ...flags,
  ];
  return spawn('ffmpeg', [...args, join(directory, 'video.m3u8')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Resolves with the exit code of a process. */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
