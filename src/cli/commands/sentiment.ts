import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { InvalidArgumentError } from '../../base/errors.ts';
import { languageOf } from '../../protocol/language.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Context } from '../context.ts';
import { JOB_EXIT_CODES } from '../exitCodes.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { RESULT_OPTIONS, resultText } from '../flags/resultOptions.ts';
import { checkServiceFlags, SERVICE_OPTIONS } from '../flags/serviceOptions.ts';
import { checkIsKept, JOB_RETENTION_OPTIONS } from '../flags/speechOptions.ts';
import { type ServiceUse, useService } from '../service/useService.ts';

/** `rxscribe sentiment`, which scores the sentences of a text. */
export const sentimentCommand = defineCommand({
  name: 'sentiment',
  description: 'score the sentiment of each sentence of a text',
  examples: [
    "rxscribe sentiment --text 'I loved the food.'",
    'rxscribe sentiment --text talk.json --filter-for negative',
  ],
  options: [
    optionGroup('Input', {
      '--text <text|file>': {
        help: 'a text, a file of text or subtitles, a transcript as .json, or - for standard input',
        required: true,
      },
      '--language <code>': { help: 'language of the text', parse: languageOf, default: 'en' },
    }),
    optionGroup('Output', {
      '--filter-for <sentiment>': {
        help: 'print only these sentences',
        choices: ['positive', 'neutral', 'negative'],
      },
    }),
    RESULT_OPTIONS,
    SERVICE_OPTIONS,
    JOB_RETENTION_OPTIONS,
  ],
  exitCodes: JOB_EXIT_CODES,
  async run({ flags, context }) {
    checkServiceFlags(flags);
    checkIsKept(flags);
    const { metadata, deleteAfterSeconds, language, filterFor } = flags;
    const [{ submitAndWait }, { SentimentResultSchema }, { toWire }] = await Promise.all([
      import('../service/submission.ts'),
      import('../../protocol/results.ts'),
      import('../../protocol/wireNames.ts'),
    ]);
    const text = await subjectOf(flags.text, context);
    const work = async (use: ServiceUse) => {
      const { sentiment } = use.client;
      const { id } = await submitAndWait(use, {
        task: 'scoring the text',
        submit: () => sentiment.submit(text, { language, metadata, deleteAfterSeconds }),
        waitFor: sentiment.waitFor,
      });
      const result = await sentiment.result(id, { filterFor });
      const rows = result.messages.map(({ score, content, ...message }) => [
        message.sentiment,
        score.toFixed(2),
        content,
      ]);
      const json = toWire(SentimentResultSchema, result);
      use.print(resultText(flags, json, ['sentiment', 'score', 'sentence'], rows, context.stdout));
    };
    await useService(context, flags, work, { recognizes: false });
  },
});

/** Resolves with the text or transcript of `--text`, which is a file if one has that name, else the text itself. */
async function subjectOf(argument: string, { stdin }: Context): Promise<string | Transcript> {
  if (argument !== '-' && !existsSync(argument)) return argument;
  if (extname(argument).toLowerCase() !== '.json') {
    const { readSpokenText } = await import('../files/spokenText.ts');
    return readSpokenText(argument, stdin);
  }
  const { readTextFile } = await import('../files/textFile.ts');
  return readTranscript(argument, await readTextFile(argument));
}

async function readTranscript(path: string, text: string): Promise<Transcript> {
  const [{ Value }, { decodeTranscript, TranscriptSchema }, { jsonOf }] = await Promise.all([
    import('typebox/value'),
    import('../../protocol/transcriptJson.ts'),
    import('../../transcript/formats/jsonOf.ts'),
  ]);
  const json = jsonOf(text);
  if (Value.Check(TranscriptSchema, json)) return decodeTranscript(json);
  throw new InvalidArgumentError(`Cannot use '${path}': it is not a transcript, JSON with monologues.`);
}
