import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { InvalidArgumentError } from '../base/errors.ts';
import { encodeTranscript } from '../protocol/transcriptJson.ts';
import { captionCues } from '../transcript/cues/captionCues.ts';
import { writePlainText } from '../transcript/formats/plainText.ts';
import { writeSrt } from '../transcript/formats/srt.ts';
import { writeVtt } from '../transcript/formats/vtt.ts';
import type { Transcript } from '../transcript/model.ts';

/** How each kind of file is written, by the ending of its name. */
const WRITERS: Readonly<Record<string, (transcript: Transcript) => string>> = {
  '.srt': transcript => writeSrt(captionCues(transcript)),
  '.vtt': transcript => writeVtt(captionCues(transcript)),
  '.txt': transcript => writePlainText(transcript),
  '.json': transcript => `${JSON.stringify(encodeTranscript(transcript), null, 2)}\n`,
};

/** @throws InvalidArgumentError when the ending of the name says no known format */
export function checkTranscriptFile(path: string): void {
  if (!Object.hasOwn(WRITERS, extname(path).toLowerCase())) {
    throw new InvalidArgumentError(
      `--out: expected a name that ends in ${Object.keys(WRITERS).join(', ')}, found "${path}"`,
    );
  }
}

/** Writes a transcript in the format that the name ends in. */
export async function writeTranscriptFile(path: string, transcript: Transcript): Promise<void> {
  await writeFile(path, WRITERS[extname(path).toLowerCase()]!(transcript));
}
