import { LanguageIdResultSchema } from '../../protocol/results.ts';
import { toWire } from '../../protocol/wireNames.ts';
import { mediaName, mediaSource } from '../flags/mediaArgument.ts';
import { jsonText, type ResultFlags } from '../flags/resultOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import type { KeepingFlags } from '../flags/speechOptions.ts';
import { columns } from '../print/columns.ts';
import { submitAndWait } from '../service/submission.ts';
import { useService } from '../service/useService.ts';

export interface IdentifyFlags extends ServiceFlags, KeepingFlags, ResultFlags {}

/** Finds out which language is spoken, and prints the languages, best first. */
export async function runIdentify(media: string, flags: IdentifyFlags): Promise<void> {
  const { metadata, deleteAfterSeconds, format } = flags;
  await useService(flags, async use => {
    const { languageId } = use.client;
    const { id } = await submitAndWait(use, {
      what: `listening to ${mediaName(media)}`,
      media,
      submit: uploading =>
        languageId.submit(mediaSource(media), { ...uploading, metadata, deleteAfterSeconds }),
      waitFor: languageId.waitFor,
    });
    const result = await languageId.result(id);
    const rows = result.languageConfidences.map(({ language, confidence }) => [language, confidence]);
    use.print(
      format === 'json'
        ? jsonText(toWire(LanguageIdResultSchema, result))
        : columns(['language', 'confidence'], rows),
    );
  });
}
