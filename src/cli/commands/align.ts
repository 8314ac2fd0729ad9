import { refuseIf } from '../../base/errors.ts';
import { languageOf } from '../../protocol/language.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { JOB_EXIT_CODES } from '../exitCodes.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { isAddress, mediaName, mediaSource } from '../flags/mediaArgument.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { RESULT_OPTIONS, resultText } from '../flags/resultOptions.ts';
import { checkServiceFlags, serviceOptions } from '../flags/serviceOptions.ts';
import { checkIsKept, JOB_RETENTION_OPTIONS } from '../flags/speechOptions.ts';
import type { Cell } from '../print/table.ts';
import { useService } from '../service/useService.ts';

/** `rxscribe align`, which finds the times of a known text. */
export const alignCommand = defineCommand({
  name: 'align',
  description: 'find the times at which the words of a text are spoken',
  examples: ['rxscribe align talk.mp3 --text talk.txt --format json'],
  arguments: [['<media>', 'audio or video file, its address, or - for standard input']],
  options: [
    optionGroup('Input', {
      '--text <file>': {
        help: 'spoken words: a text, subtitles or a transcript, the address of a text, or -',
        required: true,
      },
      '--language <code>': { help: 'language of the speech', parse: languageOf, default: 'en' },
    }),
    RESULT_OPTIONS,
    ...serviceOptions(),
    JOB_RETENTION_OPTIONS,
  ],
  exitCodes: JOB_EXIT_CODES,
  async run({ args: [media], flags, context }) {
    checkServiceFlags(flags);
    checkIsKept(flags);
    const { stdin, stdout } = context;
    const { metadata, deleteAfterSeconds, language } = flags;
    refuseIf(media === '-' && flags.text === '-', 'Media and text cannot both be standard input.');
    const [{ readSpokenText }, { submitAndWait }, { encodeTranscript }] = await Promise.all([
      import('../files/spokenText.ts'),
      import('../service/submission.ts'),
      import('../../protocol/transcriptJson.ts'),
    ]);
    const source = mediaSource(media, stdin);
    const text = isAddress(flags.text) ? { url: flags.text } : await readSpokenText(flags.text, stdin);
    const options = { text, language, metadata, deleteAfterSeconds };
    await useService(context, flags, async use => {
      const { alignment } = use.client;
      const { id } = await submitAndWait(use, {
        task: `aligning ${mediaName(media)}`,
        media,
        submit: uploading => alignment.submit(source, { ...uploading, ...options }),
        waitFor: alignment.waitFor,
      });
      const transcript = await alignment.transcript(id);
      const titles = ['start', 'end', 'word'];
      use.print(resultText(flags, encodeTranscript(transcript), titles, wordRows(transcript), stdout));
    });
  },
});

/** Returns words with their times in seconds; a word that was not found has none. */
function wordRows({ monologues }: Transcript): readonly (readonly Cell[])[] {
  return monologues
    .flatMap(({ elements }) => elements)
    .filter(element => element.type === 'text')
    .map(({ ts, endTs, value }) => [ts?.toFixed(2), endTs?.toFixed(2), value]);
}
