import type { Observable } from 'rxjs';
import { chunk } from '../../audio/chunk.ts';
import type { AudioBlock } from '../../audio/format/format.ts';
import { pace } from '../../audio/pace.ts';
import { resample } from '../../audio/resample/resample.ts';
import type { SourceOptions } from '../../audio/source/blockSource.ts';
import { fromFile } from '../../audio/source/file.ts';
import type { Clock } from '../../base/clock.ts';

export interface FileAudioOptions extends Pick<SourceOptions, 'onWarning'> {
  /** Speed in seconds of audio per second. */
  readonly speed: number | 'max';
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/** Emits the audio of a file as it is streamed: one channel at 16 kHz in blocks of 100 ms. */
export function fileAudio(path: string, options: FileAudioOptions): Observable<AudioBlock> {
  const { speed, clock, onWarning } = options;
  return fromFile(path, { onWarning }).pipe(
    resample({ sampleRate: 16_000, channels: 1, onWarning }),
    chunk(),
    pace({ speed, clock }),
  );
}
