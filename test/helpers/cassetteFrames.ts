import { lastValueFrom, map, toArray } from 'rxjs';
import { encodePcm } from '../../src/audio/pcm/pcm.ts';
import type { Cassette } from '../../src/replay/cassette/cassette.ts';
import { playSource } from '../../src/replay/play/source/playSource.ts';

/** The audio of a cassette as frames of the wire, with the end of the stream. */
export async function cassetteFrames(cassette: Cassette): Promise<readonly (Uint8Array | string)[]> {
  const { sampleFormat } = cassette.audio!.format;
  const frames$ = playSource(cassette).pipe(map(({ samples }) => encodePcm(samples, sampleFormat)));
  return [...(await lastValueFrom(frames$.pipe(toArray()))), 'EOS'];
}
