import { Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { SPEAKER_CHANNELS } from '../../protocol/limits.ts';
import { TRANSCRIPT_FORMATS } from '../files/transcriptFormats.ts';
import { addListOptions, type ListFlags } from '../flags/listOptions.ts';
import { integerFrom } from '../flags/optionValues.ts';
import { addServiceOptions, requireUrl } from '../flags/serviceOptions.ts';
import { humanJobCommands } from './humanJobs.ts';
import { AREA_NAMES, DELETABLE_AREA_NAMES, type JobFlags, type JobTranscriptFlags } from './jobFlags.ts';

/** `rxscribe job`: the jobs of a service. */
export function jobCommand(): Command {
  const job = new Command('job')
    .description('look at the jobs of a service, and delete them')
    .addCommand(getCommand())
    .addCommand(listCommand())
    .addCommand(deleteCommand())
    .addCommand(transcriptCommand());
  for (const command of humanJobCommands()) job.addCommand(command);
  return job;
}

const areaOption = (names: readonly string[]) =>
  new Option('--area <area>', 'what the job is about').choices(names).default('transcription');

function getCommand(): Command {
  const command = new Command('get')
    .description('print one job')
    .argument('<id>')
    .addOption(areaOption(AREA_NAMES))
    .option('--json', 'print JSON also in a terminal')
    .action(async (id: string, flags: JobFlags) => {
      requireUrl(flags, 'job get');
      const { runJobGet } = await import('./jobRun.ts');
      await runJobGet(id, flags);
    });
  return addServiceOptions(command, { needsUrl: true });
}

function listCommand(): Command {
  const command = new Command('list')
    .description('print jobs, newest first; JSON lines where the output is no terminal')
    .addOption(areaOption(AREA_NAMES))
    .action(async (flags: JobFlags & ListFlags) => {
      requireUrl(flags, 'job list');
      const { runJobList } = await import('./jobRun.ts');
      await runJobList(flags);
    });
  return addServiceOptions(addListOptions(command), { needsUrl: true });
}

function deleteCommand(): Command {
  const command = new Command('delete')
    .description('delete jobs that have ended, with all their data')
    .argument('<id...>')
    .addOption(areaOption(DELETABLE_AREA_NAMES))
    .action(async (ids: readonly string[], flags: JobFlags) => {
      requireUrl(flags, 'job delete');
      const { runJobDelete } = await import('./jobRun.ts');
      await runJobDelete(ids, flags);
    });
  return addServiceOptions(command, { needsUrl: true });
}

function transcriptCommand(): Command {
  const command = new Command('transcript')
    .description('print the transcript of a job, as the service writes it')
    .argument('<id>')
    .addOption(
      new Option('--format <format>', 'what to print')
        .choices(Object.keys(TRANSCRIPT_FORMATS))
        .default('text'),
    )
    .addOption(
      new Option(
        '--speaker-channel <number>',
        'whose captions, of a job whose channels were transcribed apart',
      ).argParser(integerFrom(0, SPEAKER_CHANNELS.max - 1)),
    )
    .action(async (id: string, flags: JobTranscriptFlags) => {
      requireUrl(flags, 'job transcript');
      if (flags.speakerChannel !== undefined && (flags.format === 'text' || flags.format === 'json')) {
        throw new InvalidArgumentError('job transcript: --speaker-channel goes with --format srt or vtt');
      }
      const { runJobTranscript } = await import('./jobRun.ts');
      await runJobTranscript(id, flags);
    });
  return addServiceOptions(command, { needsUrl: true });
}
