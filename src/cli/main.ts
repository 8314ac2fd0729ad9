import { styleText } from 'node:util';
import { Command, CommanderError, Option } from 'commander';
import packageJson from 'rxscribe/package.json' with { type: 'json' };
import { messageOf, RxscribeError } from '../base/errors.ts';
import { oneLine } from '../base/text.ts';
import { accountCommand } from './commands/account.ts';
import { alignCommand } from './commands/align.ts';
import { benchCommand } from './commands/bench.ts';
import { captionCommand } from './commands/caption.ts';
import { completionCommand } from './commands/completion.ts';
import { doctorCommand } from './commands/doctor.ts';
import { identifyCommand } from './commands/identify.ts';
import { jobCommand } from './commands/job.ts';
import { modelCommand } from './commands/model.ts';
import { recordCommand } from './commands/record.ts';
import { replayCommand } from './commands/replay.ts';
import { resumeCommand } from './commands/resume.ts';
import { sentimentCommand } from './commands/sentiment.ts';
import { serveCommand } from './commands/serve.ts';
import { transcribeCommand } from './commands/transcribe.ts';
import { vocabularyCommand } from './commands/vocabulary.ts';
import { webhookCommand } from './commands/webhook.ts';
import { EXIT, exitCodeOf } from './exitCodes.ts';
import { HELP_FORMAT } from './help/format.ts';
import { GROUP } from './help/groups.ts';

/** Runs one command line and sets the exit code of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  // Whoever read us, such as head, has had enough.
  process.stdout.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') process.exit(EXIT.done);
    throw error;
  });
  try {
    await createProgram().parseAsync(argv, { from: 'user' });
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    // Commander has already written what is wrong, and the usage.
    if (!(error instanceof CommanderError)) printError(error);
  }
}

/** In the order of the help, under its headings. */
const COMMANDS = {
  'Live:': [captionCommand, resumeCommand],
  'Recordings and texts:': [transcribeCommand, identifyCommand, alignCommand, sentimentCommand],
  'Tests:': [recordCommand, replayCommand, benchCommand],
  'Service:': [serveCommand, jobCommand, vocabularyCommand, webhookCommand, accountCommand],
  'This machine:': [doctorCommand, modelCommand, completionCommand],
} as const;

/** The command line, with all its commands. */
export function createProgram(): Command {
  const program = new Command('rxscribe')
    .description('Streaming transcription and live captions, with a speech service of its own')
    .optionsGroup(GROUP.help)
    .version(packageJson.version, '-V, --version', 'show the version')
    .exitOverride()
    .addHelpOption(new Option('-h, --help', 'show this help').helpGroup(GROUP.help))
    .commandsGroup(GROUP.help)
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp(HELP_FORMAT)
    .showHelpAfterError('(add --help for what can be given)');
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const create of commands) {
      const command = create();
      inherit(command, program);
      program.addCommand(command);
    }
  }
  return program;
}

/** Also to the commands of a command, which were there before it had a parent. */
function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child, command);
}

function printError(error: unknown): void {
  const label = styleText('red', 'error:', { stream: process.stderr });
  process.stderr.write(`${label} ${shown(messageOf(error))}\n`);
  const advice = (error as { advice?: unknown }).advice;
  if (typeof advice === 'string') process.stderr.write(`${advice}\n`);
  // Anything that is not ours is a fault of the program: its place is worth more than tidiness.
  if (!(error instanceof RxscribeError) && error instanceof Error)
    process.stderr.write(`${shown(error.stack ?? '')}\n`);
}

/** Without what a terminal would obey: there may be texts of others in it. */
function shown(text: string): string {
  return text.split('\n').map(oneLine).join('\n');
}
