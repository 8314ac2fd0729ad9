import { basename } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import type { MediaSource } from '../../client/jobs/mediaSource.ts';
import { isAddress } from '../flags/mediaArgument.ts';

/**
 * Resolves with the audio of the cassette that an argument names; with undefined for any other argument.
 *
 * @throws RxscribeError `audio-missing` for a cassette without audio; CassetteError for a damaged one
 */
export async function cassetteMedia(argument: string): Promise<MediaSource | undefined> {
  if (isAddress(argument) || !/\.jsonl$/i.test(argument)) return undefined;
  const [{ readCassette }, { audioFileNames }] = await Promise.all([
    import('../../replay/cassette/read/readCassette.ts'),
    import('../../replay/cassette/audioNames.ts'),
  ]);
  const { audio, end } = await readCassette(argument);
  if (!audio) {
    throw new RxscribeError('audio-missing', `Cannot transcribe '${argument}': the cassette has no audio.`);
  }
  const container = end?.audio?.container ?? 'wav';
  return { data: audio.bytes(), name: basename(audio.path ?? audioFileNames(argument)[container]) };
}
