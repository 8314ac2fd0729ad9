import type { TranscriptEnding } from '../../captions/files/transcriptEnding.ts';
import { transcriptAs } from '../../captions/files/transcriptText.ts';
import type { Transcript } from '../../transcript/model/model.ts';

/** Saves a transcript as a file. */
export function download(name: string, ending: TranscriptEnding, transcript: Transcript): void {
  const url = URL.createObjectURL(new Blob([transcriptAs(ending, transcript)], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/\.\w{1,5}$/, '') + ending;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
