import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { JOB_EXIT_CODES } from '../exitCodes.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { mediaName, mediaSource } from '../flags/mediaArgument.ts';
import { addResultOptions, jsonText, type ResultFlags } from '../flags/resultOptions.ts';
import { addServiceOptions, checkServiceFlags, type ServiceFlags } from '../flags/serviceOptions.ts';
import { addRetentionOptions, checkIsKept, type RetentionFlags } from '../flags/speechOptions.ts';
import { notes } from '../help/format.ts';
import { columnsText } from '../print/table.ts';

interface IdentifyFlags extends ServiceFlags, RetentionFlags, ResultFlags {}

/** Creates `rxscribe identify`, which finds the language of a recording. */
export function identifyCommand(context: Context): Command {
  const command = new ContextCommand('identify', context)
    .description('identify the language that is spoken in a recording')
    .argument('<media>', 'audio or video file, its address, or - for standard input')
    .addHelpText('after', notes(JOB_EXIT_CODES))
    .action(async (media: string, flags: IdentifyFlags) => {
      checkServiceFlags(flags);
      checkIsKept(flags);
      await runIdentify(context, media, flags);
    });
  return addRetentionOptions(addServiceOptions(addResultOptions(command)), 'job');
}

/** Prints the languages of a recording, the most probable first. */
async function runIdentify(context: Context, media: string, flags: IdentifyFlags): Promise<void> {
  const { metadata, deleteAfterSeconds, format } = flags;
  const [{ submitAndWait }, { useService }, { LanguageIdResultSchema }, { toWire }] = await Promise.all([
    import('../service/submission.ts'),
    import('../service/useService.ts'),
    import('../../protocol/results.ts'),
    import('../../protocol/wireNames.ts'),
  ]);
  await useService(context, flags, async use => {
    const { languageId } = use.client;
    const source = mediaSource(media, context.stdin);
    const { id } = await submitAndWait(use, {
      task: `identifying the language of ${mediaName(media)}`,
      media,
      submit: uploading => languageId.submit(source, { ...uploading, metadata, deleteAfterSeconds }),
      waitFor: languageId.waitFor,
    });
    const result = await languageId.result(id);
    const rows = result.languageConfidences.map(({ language, confidence }) => [language, confidence]);
    use.print(
      format === 'json'
        ? jsonText(toWire(LanguageIdResultSchema, result))
        : columnsText(['language', 'confidence'], rows, context.stdout),
    );
  });
}
