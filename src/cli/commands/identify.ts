import { JOB_EXIT_CODES } from '../exitCodes.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { mediaName, mediaSource } from '../flags/mediaArgument.ts';
import { RESULT_OPTIONS, resultText } from '../flags/resultOptions.ts';
import { checkServiceFlags, serviceOptions } from '../flags/serviceOptions.ts';
import { checkIsKept, JOB_RETENTION_OPTIONS } from '../flags/speechOptions.ts';
import { useService } from '../service/useService.ts';

/** `rxscribe identify`, which prints the languages of a recording, the most probable first. */
export const identifyCommand = defineCommand({
  name: 'identify',
  description: 'identify the language that is spoken in a recording',
  examples: ['rxscribe identify talk.mp3'],
  arguments: [['<media>', 'audio or video file, its address, or - for standard input']],
  options: [RESULT_OPTIONS, ...serviceOptions(), JOB_RETENTION_OPTIONS],
  exitCodes: JOB_EXIT_CODES,
  async run({ args: [media], flags, context }) {
    checkServiceFlags(flags);
    checkIsKept(flags);
    const { metadata, deleteAfterSeconds } = flags;
    const [{ submitAndWait }, { LanguageIdResultSchema }, { toWire }] = await Promise.all([
      import('../service/submission.ts'),
      import('../../protocol/results.ts'),
      import('../../protocol/wireNames.ts'),
    ]);
    const source = mediaSource(media, context.stdin);
    await useService(context, flags, async use => {
      const { languageId } = use.client;
      const { id } = await submitAndWait(use, {
        task: `identifying the language of ${mediaName(media)}`,
        media,
        submit: uploading => languageId.submit(source, { ...uploading, metadata, deleteAfterSeconds }),
        waitFor: languageId.waitFor,
      });
      const result = await languageId.result(id);
      const rows = result.languageConfidences.map(({ language, confidence }) => [language, confidence]);
      const json = toWire(LanguageIdResultSchema, result);
      use.print(resultText(flags, json, ['language', 'confidence'], rows, context.stdout));
    });
  },
});
