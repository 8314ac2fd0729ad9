import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { scriptedSpeech } from './scriptedRecognizer.ts';
import { wav } from './wavBytes.ts';

/** Speech for the scripted recogniser, and the reference beside it. */
export interface ScriptedRecording {
  readonly levels: readonly number[];
  readonly text?: string;
}

/** A directory with a WAV file of each name, and its reference beside it; it goes with the test. */
export async function scriptedRecordings(
  recordings: Readonly<Record<string, ScriptedRecording>>,
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-recordings-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [name, { levels, text }] of Object.entries(recordings)) {
    const { buffer } = scriptedSpeech(levels);
    await writeFile(join(directory, `${name}.wav`), wav(new Uint8Array(buffer), { rate: 16_000 }));
    if (text !== undefined) await writeFile(join(directory, `${name}.txt`), text);
  }
  return directory;
}
