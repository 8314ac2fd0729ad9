import { writeFile } from 'node:fs/promises';
import { encodeTranscript } from '../protocol/transcriptJson.ts';
import { captionCues } from '../transcript/cues/captionCues.ts';
import { writePlainText } from '../transcript/formats/plainText.ts';
import { writeSrt } from '../transcript/formats/srt.ts';
import { writeVtt } from '../transcript/formats/vtt.ts';
import type { Transcript } from '../transcript/model.ts';
import { type TranscriptEnding, transcriptEnding } from './transcriptEnding.ts';

const WRITERS: Readonly<Record<TranscriptEnding, (transcript: Transcript) => string>> = {
  '.srt': transcript => writeSrt(captionCues(transcript)),
  '.vtt': transcript => writeVtt(captionCues(transcript)),
  '.txt': transcript => writePlainText(transcript),
  '.json': transcript => `${JSON.stringify(encodeTranscript(transcript), null, 2)}\n`,
};

/** Writes a transcript in the format that the name ends in; plain text when that is none. */
export async function writeTranscriptFile(path: string, transcript: Transcript): Promise<void> {
  await writeFile(path, WRITERS[transcriptEnding(path) ?? '.txt'](transcript));
}
