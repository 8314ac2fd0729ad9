import { encodeTranscript } from '../../protocol/transcriptJson.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { readTextFile } from '../files/textFile.ts';
import { isAddress, mediaName, mediaSource } from '../flags/mediaArgument.ts';
import { jsonText, type ResultFlags } from '../flags/resultOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import type { KeepingFlags } from '../flags/speechOptions.ts';
import { type Cell, columns } from '../print/columns.ts';
import { submitAndWait } from '../service/submission.ts';
import { useService } from '../service/useService.ts';

export interface AlignFlags extends ServiceFlags, KeepingFlags, ResultFlags {
  readonly text: string;
  readonly language: string;
}

/** Finds out when words are spoken, and prints each with its times. */
export async function runAlign(media: string, flags: AlignFlags): Promise<void> {
  const { metadata, deleteAfterSeconds, language, format } = flags;
  const text = isAddress(flags.text) ? { url: flags.text } : await readTextFile(flags.text);
  await useService(flags, async use => {
    const { alignment } = use.client;
    const { id } = await submitAndWait(use, {
      what: `aligning ${mediaName(media)}`,
      media,
      submit: uploading =>
        alignment.submit(mediaSource(media), {
          ...uploading,
          text,
          language,
          metadata,
          deleteAfterSeconds,
        }),
      waitFor: alignment.waitFor,
    });
    const transcript = await alignment.transcript(id);
    use.print(
      format === 'json'
        ? jsonText(encodeTranscript(transcript))
        : columns(['start', 'end', 'word'], wordRows(transcript)),
    );
  });
}

/** Seconds to two decimals; none of a word that was not found. */
function wordRows({ monologues }: Transcript): readonly (readonly Cell[])[] {
  return monologues
    .flatMap(({ elements }) => elements)
    .filter(element => element.type === 'text')
    .map(({ ts, endTs, value }) => [ts?.toFixed(2), endTs?.toFixed(2), value]);
}
