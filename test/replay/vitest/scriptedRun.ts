import { from } from 'rxjs';
import { pace } from '../../../src/audio/pace.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { observeSession } from '../../../src/replay/session/observeSession.ts';
import type { SessionRun } from '../../../src/replay/session/sessionRun.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { speechBlocks } from '../cassette/recordings.ts';

/** Returns blocks of 100 ms that the scripted recognizer takes for words. */
export const scriptedBlocks = (levels: readonly number[]) => speechBlocks(scriptedSpeech(levels));

/** Returns the run of a real service with these blocks. */
export async function scriptedRun(
  levels: readonly number[],
  speed: number | 'max' = 'max',
): Promise<SessionRun> {
  const service = await startTestService();
  const live = transcribe({ url: service.url, token: TEST_TOKEN });
  return observeSession(from(scriptedBlocks(levels)).pipe(pace({ speed })), live, { speed });
}
