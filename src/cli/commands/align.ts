import type { Command } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Context } from '../context.ts';
import { JOB_EXIT_CODES } from '../exitCodes.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { isAddress, mediaName, mediaSource } from '../flags/mediaArgument.ts';
import { languageOption } from '../flags/optionValues.ts';
import { addResultOptions, jsonText, type ResultFlags } from '../flags/resultOptions.ts';
import { addServiceOptions, checkServiceFlags, type ServiceFlags } from '../flags/serviceOptions.ts';
import { addRetentionOptions, checkIsKept, type RetentionFlags } from '../flags/speechOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import { type Cell, columnsText } from '../print/table.ts';

interface AlignFlags extends ServiceFlags, RetentionFlags, ResultFlags {
  readonly text: string;
  readonly language: string;
}

/** Creates `rxscribe align`, which finds the times of a known text. */
export function alignCommand(context: Context): Command {
  const command = new ContextCommand('align', context)
    .description('find the times at which the words of a text are spoken')
    .argument('<media>', 'audio or video file, its address, or - for standard input')
    .optionsGroup(GROUP.input)
    .requiredOption('--text <file>', 'spoken words: a text file, its address, or -')
    .addOption(languageOption('language of the speech').default('en'))
    .addHelpText('after', notes(JOB_EXIT_CODES))
    .action(async (media: string, flags: AlignFlags) => {
      checkServiceFlags(flags);
      checkIsKept(flags);
      if (media === '-' && flags.text === '-') {
        throw new InvalidArgumentError('Media and text cannot both be standard input.');
      }
      await runAlign(context, media, flags);
    });
  return addRetentionOptions(addServiceOptions(addResultOptions(command)), 'job');
}

async function runAlign(context: Context, media: string, flags: AlignFlags): Promise<void> {
  const { metadata, deleteAfterSeconds, language, format } = flags;
  const { stdin, stdout } = context;
  const [{ readTextFile }, { submitAndWait }, { useService }, { encodeTranscript }] = await Promise.all([
    import('../files/textFile.ts'),
    import('../service/submission.ts'),
    import('../service/useService.ts'),
    import('../../protocol/transcriptJson.ts'),
  ]);
  const text = isAddress(flags.text) ? { url: flags.text } : await readTextFile(flags.text, stdin);
  await useService(context, flags, async use => {
    const { alignment } = use.client;
    const { id } = await submitAndWait(use, {
      task: `aligning ${mediaName(media)}`,
      media,
      submit: uploading =>
        alignment.submit(mediaSource(media, stdin), {
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
        : columnsText(['start', 'end', 'word'], wordRows(transcript), stdout),
    );
  });
}

/** Returns words with their times in seconds; a word that was not found has none. */
function wordRows({ monologues }: Transcript): readonly (readonly Cell[])[] {
  return monologues
    .flatMap(({ elements }) => elements)
    .filter(element => element.type === 'text')
    .map(({ ts, endTs, value }) => [ts?.toFixed(2), endTs?.toFixed(2), value]);
}
