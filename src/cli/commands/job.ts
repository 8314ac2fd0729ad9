import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from '../../captions/files/transcriptEnding.ts';
import type { DeletableJobs, JobArea } from '../../client/jobs/areaTypes.ts';
import type { Client } from '../../client/jobs/createClient.ts';
import type { Job, LegacyJob } from '../../client/jobs/jobTypes.ts';
import { SPEAKER_CHANNELS } from '../../protocol/limits.ts';
import type { Context } from '../context.ts';
import { RECORD_EXIT_CODES } from '../exitCodes.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { addListOptions, type ListFlags, takeList } from '../flags/listOptions.ts';
import { integerFrom } from '../flags/optionValues.ts';
import { jsonText } from '../flags/resultOptions.ts';
import { addServiceOptions, type ServiceFlags } from '../flags/serviceOptions.ts';
import { notes } from '../help/format.ts';
import { type Column, printRecords } from '../print/table.ts';
import { useNamedService } from '../service/useNamedService.ts';
import type { ServiceUse } from '../service/useService.ts';
import { humanJobCommands } from './humanJobs.ts';

/** Areas of the client, by the names that `--area` takes. */
const AREAS = {
  transcription: client => client.transcription,
  'language-id': client => client.languageId,
  alignment: client => client.alignment,
  sentiment: client => client.sentiment,
  legacy: client => client.legacy,
} as const satisfies Record<string, (client: Client) => JobArea<Job> | JobArea<LegacyJob>>;

const AREA_NAMES = Object.keys(AREAS) as readonly (keyof typeof AREAS)[];

/** Creates `rxscribe job`, which shows and deletes the jobs of a service. */
export function jobCommand(context: Context): Command {
  const job = new ContextCommand('job', context)
    .description('show and delete the jobs of a service')
    .addCommand(getCommand(context))
    .addCommand(listCommand(context))
    .addCommand(deleteCommand(context))
    .addCommand(transcriptCommand(context));
  for (const command of humanJobCommands(context)) job.addCommand(command);
  return job;
}

interface JobFlags extends ServiceFlags {
  readonly area: keyof typeof AREAS;
  readonly json?: boolean;
}

const areaOption = (names: readonly string[]) =>
  new Option('--area <area>', 'kind of job').choices(names).default('transcription');

function getCommand(context: Context): Command {
  const command = new ContextCommand('get', context)
    .description('print one job')
    .argument('<id>', 'id of the job')
    .addOption(areaOption(AREA_NAMES))
    .option('--json', 'print JSON also in a terminal')
    .addHelpText('after', notes(RECORD_EXIT_CODES))
    .action(async (id: string, flags: JobFlags) => {
      const { noteIgnored } = await import('../service/submission.ts');
      await useNamedService(context, flags, async use => {
        const job = await AREAS[flags.area](use.client).get(id);
        noteIgnored(use, job);
        await printJobs(context, [job], flags);
      });
    });
  return addServiceOptions(command, { needsUrl: true });
}

function listCommand(context: Context): Command {
  const command = new ContextCommand('list', context)
    .description('print jobs, newest first; as JSON lines unless the output is a terminal')
    .addOption(areaOption(AREA_NAMES))
    .addHelpText('after', notes(RECORD_EXIT_CODES))
    .action(async (flags: JobFlags & ListFlags) => {
      await useNamedService(context, flags, async ({ client }) => {
        await printJobs(context, await takeList<ListedJob>(AREAS[flags.area](client), flags), flags);
      });
    });
  return addServiceOptions(addListOptions(command), { needsUrl: true });
}

function deleteCommand(context: Context): Command {
  const command = new ContextCommand('delete', context)
    .description('delete jobs that have ended, with all their data')
    .argument('<id...>', 'ids of the jobs')
    .addOption(areaOption(AREA_NAMES.filter(name => name !== 'legacy')))
    .addHelpText('after', notes(RECORD_EXIT_CODES))
    .action(async (ids: readonly string[], flags: JobFlags) => {
      await useNamedService(context, flags, async ({ client }) => {
        const area = AREAS[flags.area](client) as DeletableJobs;
        // One after the other, up to the first that cannot be deleted.
        for (const id of ids) await area.delete(id);
      });
    });
  return addServiceOptions(command, { needsUrl: true });
}

interface TranscriptFlags extends ServiceFlags {
  readonly format: TranscriptFormat;
  readonly speakerChannel?: number;
}

function transcriptCommand(context: Context): Command {
  const command = new ContextCommand('transcript', context)
    .description('print the transcript of a job, formatted by the service')
    .argument('<id>', 'id of the job')
    .addOption(
      new Option('--format <format>', 'form of the transcript')
        .choices(Object.keys(TRANSCRIPT_FORMATS))
        .default('text'),
    )
    .addOption(
      new Option(
        '--speaker-channel <number>',
        'print the captions of one channel, for a job with channels transcribed apart',
      ).argParser(integerFrom(0, SPEAKER_CHANNELS.max - 1)),
    )
    .addHelpText('after', notes(RECORD_EXIT_CODES))
    .action(async (id: string, flags: TranscriptFlags) => {
      if (flags.speakerChannel !== undefined && flags.format !== 'srt' && flags.format !== 'vtt') {
        throw new InvalidArgumentError('--speaker-channel requires --format srt or vtt.');
      }
      await useNamedService(context, flags, async use => {
        use.print(await transcriptText(use, id, flags));
      });
    });
  return addServiceOptions(command, { needsUrl: true });
}

async function transcriptText(
  { client: { transcription }, progress }: ServiceUse,
  id: string,
  { format, speakerChannel }: TranscriptFlags,
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
      // The times of a stream may begin later than its audio.
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
  { stdout }: Context,
  jobs: readonly ListedJob[],
  { json }: Pick<JobFlags, 'json'>,
): Promise<void> {
  const [{ JobSchema }, { toWire }] = await Promise.all([
    import('../../protocol/jobs.ts'),
    import('../../protocol/wireNames.ts'),
  ]);
  printRecords(stdout, jobs, COLUMNS, { json, encode: job => toWire(JobSchema, job as Job) });
}
