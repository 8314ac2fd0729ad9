/** The diarizer that needs no model. */
import type { Diarizer } from '../diarizer.ts';
import { ProcessPool } from '../process/processPool.ts';
import { entryBeside, startWork } from '../process/work.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import type { SpeakerSetup } from './child.ts';
import { createProcessDiarizer, type RecordingMethods, type TrackingMethods } from './processDiarizer.ts';

/**
 * Creates a diarizer that needs no model: it clusters the sound of voices by Gaussians. Each recording has
 * its own process, and all streams share one. It takes some 19 MB for each hour of a recording.
 *
 * @example
 * await using diarizer = createDiarizer();
 * await diarizer.diarize([new Int16Array(16_000)]); // []
 */
export function createDiarizer(): Diarizer {
  return createProcessDiarizer<never, SpeakerSetup>({
    name: 'gaussians',
    sampleRate: VOICE_SAMPLE_RATE,
    recordings: createPool<RecordingMethods>(),
    recordingSetup: { tracks: false },
    streams: createPool<TrackingMethods>(1),
    streamSetup: { tracks: true },
  });
}

function createPool<Methods>(maxProcesses?: number): ProcessPool<Methods, never, SpeakerSetup> {
  const start = (setup: SpeakerSetup) =>
    startWork<Methods>(entryBeside(import.meta, 'child'), { task: 'diarize', setup });
  return new ProcessPool({ task: 'diarize', start, maxProcesses });
}
