import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import type { Sentiment } from '../../protocol/results.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Context } from '../context.ts';
import { JOB_EXIT_CODES } from '../exitCodes.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { languageOption } from '../flags/optionValues.ts';
import { addResultOptions, jsonText, type ResultFlags } from '../flags/resultOptions.ts';
import { addServiceOptions, checkServiceFlags, type ServiceFlags } from '../flags/serviceOptions.ts';
import { addRetentionOptions, checkIsKept, type RetentionFlags } from '../flags/speechOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import { columnsText } from '../print/table.ts';

interface SentimentFlags extends ServiceFlags, RetentionFlags, ResultFlags {
  readonly text: string;
  readonly language: string;
  readonly filterFor?: Sentiment;
}

/** Creates `rxscribe sentiment`, which scores the sentences of a text. */
export function sentimentCommand(context: Context): Command {
  const command = new ContextCommand('sentiment', context)
    .description('score the sentiment of each sentence of a text')
    .optionsGroup(GROUP.input)
    .requiredOption(
      '--text <text|file>',
      'a text, a text file, a transcript as .json, or - for standard input',
    )
    .addOption(languageOption('language of the text').default('en'))
    .optionsGroup(GROUP.output)
    .addOption(
      new Option('--filter-for <sentiment>', 'print only these sentences').choices([
        'positive',
        'neutral',
        'negative',
      ]),
    )
    .addHelpText('after', notes(JOB_EXIT_CODES))
    .action(async (flags: SentimentFlags) => {
      checkServiceFlags(flags);
      checkIsKept(flags);
      await runSentiment(context, flags);
    });
  const withService = addServiceOptions(addResultOptions(command), { recognizes: false });
  return addRetentionOptions(withService, 'job');
}

async function runSentiment(context: Context, flags: SentimentFlags): Promise<void> {
  const { metadata, deleteAfterSeconds, language, format, filterFor } = flags;
  const [{ submitAndWait }, { useService }, { SentimentResultSchema }, { toWire }] = await Promise.all([
    import('../service/submission.ts'),
    import('../service/useService.ts'),
    import('../../protocol/results.ts'),
    import('../../protocol/wireNames.ts'),
  ]);
  const text = await subjectOf(flags.text, context);
  await useService(
    context,
    flags,
    async use => {
      const { sentiment } = use.client;
      const { id } = await submitAndWait(use, {
        task: 'scoring the text',
        submit: () => sentiment.submit(text, { language, metadata, deleteAfterSeconds }),
        waitFor: sentiment.waitFor,
      });
      const result = await sentiment.result(id, { filterFor });
      const rows = result.messages.map(message => [
        message.sentiment,
        message.score.toFixed(2),
        message.content,
      ]);
      use.print(
        format === 'json'
          ? jsonText(toWire(SentimentResultSchema, result))
          : columnsText(['sentiment', 'score', 'sentence'], rows, context.stdout),
      );
    },
    { recognizes: false },
  );
}

/** Resolves with the text or transcript of `--text`, which is itself the text unless it names a file. */
async function subjectOf(argument: string, { stdin }: Context): Promise<string | Transcript> {
  if (argument !== '-' && !existsSync(argument)) return argument;
  const { readTextFile } = await import('../files/textFile.ts');
  const text = await readTextFile(argument, stdin);
  return extname(argument).toLowerCase() === '.json' ? readTranscript(argument, text) : text;
}

async function readTranscript(path: string, text: string): Promise<Transcript> {
  const [{ Value }, { decodeTranscript, TranscriptSchema }] = await Promise.all([
    import('typebox/value'),
    import('../../protocol/transcriptJson.ts'),
  ]);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The error of the parser would quote the text.
  }
  if (Value.Check(TranscriptSchema, json)) return decodeTranscript(json);
  throw new InvalidArgumentError(`Cannot use '${path}': it is not a transcript, JSON with monologues.`);
}
