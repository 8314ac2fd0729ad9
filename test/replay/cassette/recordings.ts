import { from, lastValueFrom, type Observable, toArray } from 'rxjs';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { toFloats } from '../../../src/audio/pcm/pcm.ts';
import { record } from '../../../src/replay/cassette/record/record.ts';
import type { RecordOptions } from '../../../src/replay/cassette/record/recordOptions.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

/** Two utterances with a pause, and some silence. */
export const SPEECH = scriptedSpeech([0, 4, 7, 2, 0, 0, 0, 0, 9, 5, 0, 0, 0]);

/** Returns samples of 16 kHz in blocks of 100 ms; `gap` leaves some blocks out. */
export function speechBlocks(
  samples: Int16Array = SPEECH,
  { gap }: { readonly gap?: { readonly from: number; readonly to: number } } = {},
): readonly AudioBlock[] {
  const blocks: AudioBlock[] = [];
  for (let startFrame = 0; startFrame < samples.length; startFrame += 1600) {
    const part = samples.subarray(startFrame, startFrame + 1600);
    blocks.push({ startFrame, sampleRate: 16_000, channels: 1, samples: toFloats(part) });
  }
  return gap ? blocks.filter((_, i) => i < gap.from || i >= gap.to) : blocks;
}

/** Records blocks with the test service, to the end. */
export async function recordSpeech(
  path: string,
  options: Partial<RecordOptions> & { readonly blocks?: readonly AudioBlock[] } = {},
): Promise<readonly LiveEvent[]> {
  const { blocks = speechBlocks(), cassette, ...rest } = options;
  const url = rest.url ?? (await startTestService()).url;
  return recordFrom(from(blocks), { ...rest, url, cassette: { path, ...cassette } });
}

export function recordFrom(
  source$: Observable<AudioBlock>,
  options: Partial<RecordOptions> & Pick<RecordOptions, 'url' | 'cassette'>,
): Promise<readonly LiveEvent[]> {
  return lastValueFrom(source$.pipe(record({ token: TEST_TOKEN, ...options }), toArray()));
}
