import { from } from 'rxjs';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { pace } from '../../../src/audio/pace.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { observeSession } from '../../../src/replay/session/observeSession.ts';
import type { SessionRun } from '../../../src/replay/session/sessionRun.ts';
import { SCRIPTED_WINDOW_FRAMES, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { blockAt } from '../../helpers/streamBlocks.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

/** Returns blocks of 100 ms that the scripted recognizer takes for words. */
export function* scriptedBlocks(levels: readonly number[]): Generator<AudioBlock> {
  const samples = scriptedSpeech(levels);
  for (let startFrame = 0; startFrame < samples.length; startFrame += SCRIPTED_WINDOW_FRAMES) {
    const part = samples.subarray(startFrame, startFrame + SCRIPTED_WINDOW_FRAMES);
    yield {
      ...blockAt(startFrame, SCRIPTED_WINDOW_FRAMES),
      samples: Float32Array.from(part, sample => sample / 32_768),
    };
  }
}

/** Returns the run of a real service with these blocks. */
export async function scriptedRun(
  levels: readonly number[],
  speed: number | 'max' = 'max',
): Promise<SessionRun> {
  const service = await startTestService();
  const live = transcribe({ url: service.url, token: TEST_TOKEN });
  return observeSession(from([...scriptedBlocks(levels)]).pipe(pace({ speed })), live, { speed });
}
