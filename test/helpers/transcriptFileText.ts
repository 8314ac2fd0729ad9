import { createRequire } from 'node:module';
import type { TranscriptEnding } from '../../src/captions/files/transcriptEnding.ts';
import { readPlainText } from '../../src/transcript/formats/plainText.ts';
import { readSrt } from '../../src/transcript/formats/srt.ts';
import { type Transcript, textOf } from '../../src/transcript/model/model.ts';
import { decodeScc } from './sccCaptions.ts';
import { renderTtml, ttmlFaults } from './ttml.ts';

const { WebVTTParser } = createRequire(import.meta.url)('webvtt-parser') as {
  readonly WebVTTParser: new () => {
    parse(text: string): {
      readonly errors: readonly { readonly message: string }[];
      readonly cues: readonly { readonly text: string }[];
    };
  };
};

const READERS: Readonly<Record<TranscriptEnding, (content: string) => string | Promise<string>>> = {
  '.srt': content =>
    readSrt(content)
      .flatMap(({ lines }) => lines)
      .join(' '),
  '.vtt': vttText,
  '.ttml': ttmlText,
  '.scc': content =>
    decodeScc(content)
      .flatMap(({ rows }) => rows)
      .join(' '),
  '.jsonl': content => linesOf(content).map(textOfLine).join(' '),
  '.json': content => spoken(JSON.parse(content)),
  '.txt': content => spoken(readPlainText(content)),
};

/**
 * Returns the text in a file of a transcript, as a reader of its format finds it: one of others, where there is one.
 *
 * @throws Error for a file that is not valid
 */
export async function transcriptFileText(ending: TranscriptEnding, content: string): Promise<string> {
  return READERS[ending](content);
}

function vttText(content: string): string {
  const { errors, cues } = new WebVTTParser().parse(content);
  if (errors.length > 0) throw new Error(`faulty WebVTT: ${errors.map(({ message }) => message).join(', ')}`);
  return cues.map(({ text }) => text.replaceAll('\n', ' ')).join(' ');
}

async function ttmlText(content: string): Promise<string> {
  const { shown, reports } = renderTtml(content);
  const faults = [...(await ttmlFaults([content])), ...reports];
  if (faults.length > 0) throw new Error(`faulty EBU-TT-D: ${faults.join(', ')}`);
  return shown.flatMap(({ lines }) => lines).join(' ');
}

const linesOf = (content: string) => content.trim().split('\n').filter(Boolean);
const textOfLine = (line: string) => (JSON.parse(line) as { readonly text: string }).text;
const spoken = ({ monologues }: Transcript) => monologues.map(({ elements }) => textOf(elements)).join(' ');
