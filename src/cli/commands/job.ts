import { refuseIf } from '../../base/errors.ts';
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from '../../captions/files/transcriptEnding.ts';
import type { JobArea } from '../../client/jobs/areaTypes.ts';
import type { Client } from '../../client/jobs/createClient.ts';
import type { Job, LegacyJob } from '../../client/jobs/jobTypes.ts';
import { SPEAKER_CHANNELS } from '../../protocol/limits.ts';
import type { Context } from '../context.ts';
import { RECORD_EXIT_CODES } from '../exitCodes.ts';
import { defineCommand, defineCommands } from '../flags/defineCommand.ts';
import { LIST_OPTIONS, takeList } from '../flags/listOptions.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { integerFrom } from '../flags/optionValues.ts';
import { JSON_OPTION, jsonText } from '../flags/resultOptions.ts';
import { NAMED_SERVICE_OPTIONS } from '../flags/serviceOptions.ts';
import { type Column, printRecords } from '../print/table.ts';
import { type ServiceUse, useService } from '../service/useService.ts';
import { humanJobCommands } from './humanJobs.ts';

/** Areas of the client whose jobs can be deleted, by the names that `--area` takes. */
const DELETABLE_AREAS = {
  transcription: (client: Client) => client.transcription,
  'language-id': (client: Client) => client.languageId,
  alignment: (client: Client) => client.alignment,
  sentiment: (client: Client) => client.sentiment,
};

const AREAS = { ...DELETABLE_AREAS, legacy: (client: Client) => client.legacy };

const areaOption = <Name extends string>(areas: Readonly<Record<Name, unknown>>) =>
  optionGroup('Job', {
    '--area <area>': { help: 'kind of job', choices: Object.keys(areas) as Name[], default: 'transcription' },
  });

const ID = ['<id>', 'id of the job'] as const;

const getCommand = defineCommand({
  name: 'get',
  description: 'print one job',
  examples: ['rxscribe job get Hb3kT0cVt9Qx4E --area alignment'],
  arguments: [ID],
  options: [areaOption(AREAS), JSON_OPTION, NAMED_SERVICE_OPTIONS],
  exitCodes: RECORD_EXIT_CODES,
  async run({ args: [id], flags, context }) {
    const { noteIgnored, noteWarnings } = await import('../service/submission.ts');
    await useService(context, flags, async use => {
      const job = await AREAS[flags.area](use.client).get(id);
      noteIgnored(use, job);
      noteWarnings(use, job);
      await printJobs(context, [job], flags);
    });
  },
});

const listCommand = defineCommand({
  name: 'list',
  description: 'print jobs, newest first; as JSON lines unless the output is a terminal',
  examples: ['rxscribe job list --limit 10', 'rxscribe job list --all --json'],
  options: [areaOption(AREAS), LIST_OPTIONS, NAMED_SERVICE_OPTIONS],
  exitCodes: RECORD_EXIT_CODES,
  run: ({ flags, context }) =>
    useService(context, flags, async ({ client }) => {
      const area: Pick<JobArea<ListedJob>, 'list' | 'listAll'> = AREAS[flags.area](client);
      await printJobs(context, await takeList(area, flags), flags);
    }),
});

const deleteCommand = defineCommand({
  name: 'delete',
  description: 'delete jobs that have ended, with all their data',
  examples: ['rxscribe job delete Hb3kT0cVt9Qx4E'],
  arguments: [['<id...>', 'ids of the jobs']],
  options: [areaOption(DELETABLE_AREAS), NAMED_SERVICE_OPTIONS],
  exitCodes: RECORD_EXIT_CODES,
  run: ({ args: [ids], flags, context }) =>
    useService(context, flags, async ({ client }) => {
      // One after the other, up to the first that cannot be deleted.
      for (const id of ids) await DELETABLE_AREAS[flags.area](client).delete(id);
    }),
});

const transcriptCommand = defineCommand({
  name: 'transcript',
  description: 'print the transcript of a job, formatted by the service',
  examples: ['rxscribe job transcript Hb3kT0cVt9Qx4E --format srt'],
  arguments: [ID],
  options: [
    optionGroup('Output', {
      '--format <format>': {
        help: 'form of the transcript',
        choices: Object.keys(TRANSCRIPT_FORMATS) as TranscriptFormat[],
        default: 'text',
      },
      '--speaker-channel <number>': {
        help: 'print the captions of one channel, for a job with channels transcribed apart',
        parse: integerFrom(0, SPEAKER_CHANNELS.max - 1),
      },
    }),
    NAMED_SERVICE_OPTIONS,
  ],
  exitCodes: RECORD_EXIT_CODES,
  async run({ args: [id], flags, context }) {
    const isOfCaptions = flags.format === 'srt' || flags.format === 'vtt';
    const isWrong = flags.speakerChannel !== undefined && !isOfCaptions;
    refuseIf(isWrong, '--speaker-channel requires --format srt or vtt.');
    await useService(context, flags, async use => use.print(await transcriptText(use, id, flags)));
  },
});

async function transcriptText(
  { client: { transcription }, progress }: ServiceUse,
  id: string,
  { format, speakerChannel }: { readonly format: TranscriptFormat; readonly speakerChannel?: number },
): Promise<string> {
  switch (format) {
    case 'json': {
      const { encodeTranscript } = await import('../../protocol/transcriptJson.ts');
      return jsonText(encodeTranscript(await transcription.transcript(id)));
    }
    case 'text':
      return transcription.transcriptText(id);
    case 'srt':
    case 'vtt':
      return transcription.captions(id, { format, speakerChannel });
    default: {
      const { transcriptAs } = await import('../../captions/files/transcriptText.ts');
      const [transcript, job] = await Promise.all([transcription.transcript(id), transcription.get(id)]);
      // The times of a stream may have an offset, so its duration is not their limit.
      const seconds = job.type === 'stream' ? undefined : job.durationSeconds;
      return transcriptAs(TRANSCRIPT_FORMATS[format], transcript, { seconds, onNote: progress.note });
    }
  }
}

/** A job of any area; legacy jobs have no type. */
type ListedJob = LegacyJob & Partial<Job>;

const COLUMNS: readonly Column<ListedJob>[] = [
  ['id', job => job.id],
  ['type', job => job.type],
  ['status', statusText],
  ['seconds', job => job.durationSeconds ?? job.processedDurationSeconds],
  ['created', job => job.createdOn],
  ['name', job => job.name ?? job.sourceConfig?.url ?? job.mediaUrl],
  ['metadata', job => job.metadata],
];

function statusText({ status, failure, progress, notificationFailure }: ListedJob): string {
  if (progress !== undefined) return `${status} ${progress} %`;
  const ended = failure ?? status;
  return notificationFailure === undefined ? ended : `${ended} (not notified: ${notificationFailure})`;
}

async function printJobs(
  { stdout }: Pick<Context, 'stdout'>,
  jobs: readonly ListedJob[],
  { json }: { readonly json?: boolean },
): Promise<void> {
  const [{ JobSchema }, { toWire }] = await Promise.all([
    import('../../protocol/jobs.ts'),
    import('../../protocol/wireNames.ts'),
  ]);
  printRecords(stdout, jobs, COLUMNS, { json, encode: job => toWire(JobSchema, job as Job) });
}

/** `rxscribe job`, which shows and deletes the jobs of a service. */
export const jobCommand = defineCommands({
  name: 'job',
  description: 'show and delete the jobs of a service',
  examples: ['rxscribe job list', 'rxscribe job transcript Hb3kT0cVt9Qx4E --format vtt'],
  commands: [getCommand, listCommand, deleteCommand, transcriptCommand, ...humanJobCommands],
});
