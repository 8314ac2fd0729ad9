import { styleText } from 'node:util';
import { type Command, CommanderError, Option } from 'commander';
import packageJson from 'rxscribe/package.json' with { type: 'json' };
import { messageOf, RxscribeError } from '../base/errors.ts';
import { printable } from '../base/text.ts';
import { accountCommand } from './commands/account.ts';
import { alignCommand } from './commands/align.ts';
import { captionCommand } from './commands/caption.ts';
import { deskCommand } from './commands/desk.ts';
import { doctorCommand } from './commands/doctor.ts';
import { dumpCommand } from './commands/dump.ts';
import { identifyCommand } from './commands/identify.ts';
import { jobCommand } from './commands/job.ts';
import { modelCommand } from './commands/model.ts';
import { playCommand } from './commands/play.ts';
import { proxyCommand } from './commands/proxy.ts';
import { recordCommand } from './commands/record.ts';
import { replayCommand } from './commands/replay.ts';
import { resumeCommand } from './commands/resume.ts';
import { scoreCommand } from './commands/score.ts';
import { sentimentCommand } from './commands/sentiment.ts';
import { serveCommand } from './commands/serve.ts';
import { transcribeCommand } from './commands/transcribe.ts';
import { vocabularyCommand } from './commands/vocabulary.ts';
import type { Context, Io, Output } from './context.ts';
import { EXIT, exitCodeOf } from './exitCodes.ts';
import { ContextCommand } from './flags/contextCommand.ts';
import { DEFAULT_WIDTH, examples, HELP_FORMAT } from './help/format.ts';
import { wrapMessage } from './help/wrap.ts';
import { PROVIDED } from './provide.ts';

/**
 * Runs one command line with the given input and output, and touches nothing else of the process.
 *
 * Resolves with the exit code. Errors are printed, never thrown.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const context: Context = { ...io, provided: PROVIDED, exitCode: EXIT.done };
  try {
    await createProgram(context).parseAsync(argv, { from: 'user' });
  } catch (error) {
    context.exitCode = exitCodeOf(error);
    // Commander has already written its errors.
    if (!(error instanceof CommanderError)) printError(error, io.stderr);
  }
  return context.exitCode;
}

/** Commands in the order of the help, by their headings. */
const COMMANDS = {
  'Speech to text:': [
    captionCommand,
    transcribeCommand,
    resumeCommand,
    identifyCommand,
    alignCommand,
    sentimentCommand,
  ],
  'Replay tests:': [recordCommand, replayCommand, scoreCommand, playCommand, proxyCommand],
  'Service:': [serveCommand, jobCommand, vocabularyCommand, accountCommand, deskCommand, dumpCommand],
  'This machine:': [doctorCommand, modelCommand],
} as const;

/** Returns the command line with all its commands. */
export function createProgram(context: Context): Command {
  const program = new ContextCommand('rxscribe', context)
    .description('Live captions and transcripts of speech, with a speech service of its own')
    .optionsGroup('Help:')
    .version(packageJson.version, '-V, --version', 'show the version')
    .exitOverride()
    .addHelpOption(new Option('-h, --help', 'show this help').helpGroup('Help:'))
    .commandsGroup('Help on commands:')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp(HELP_FORMAT)
    .addHelpText('after', examples(['rxscribe caption talk.mp3 --out talk.srt', 'rxscribe help transcribe']))
    .configureOutput({
      writeOut: text => void context.stdout.write(text),
      writeErr: text => void context.stderr.write(text),
      getOutHelpWidth: () => widthOf(context.stdout) ?? DEFAULT_WIDTH,
      getErrHelpWidth: () => widthOf(context.stderr) ?? DEFAULT_WIDTH,
      getOutHasColors: () => hasColours(context.stdout),
      getErrHasColors: () => hasColours(context.stderr),
      outputError: (text, write) => write(labelled(text.replace(/^error: /, ''), context.stderr)),
    });
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const create of commands) {
      const command = create(context);
      inherit(command, program);
      program.addCommand(command);
    }
  }
  return program;
}

/** Copies settings also to the commands of a command, which were added before it had a parent. */
function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child, command);
}

function widthOf(output: Output): number | undefined {
  return output.isTTY ? output.columns : undefined;
}

function hasColours(output: Output): boolean {
  return styleText('bold', '', { stream: output }) !== '';
}

function printError(error: unknown, stderr: Output): void {
  stderr.write(labelled(`${printable(messageOf(error))}\n`, stderr));
  const { advice } = error as { advice?: unknown };
  if (typeof advice === 'string') stderr.write(`${fitted(printable(advice), stderr)}\n`);
  // An error of another class is a fault of the program, which its stack locates.
  if (!(error instanceof RxscribeError) && error instanceof Error) {
    stderr.write(`${printable(error.stack ?? '')}\n`);
  }
}

/** Returns a message after `error:`, wrapped to a terminal. */
function labelled(message: string, stderr: Output): string {
  const text = fitted(`error: ${message.trimEnd()}`, stderr);
  return `${styleText('red', 'error:', { stream: stderr })}${text.slice('error:'.length)}\n`;
}

function fitted(text: string, output: Output): string {
  const width = widthOf(output);
  return width === undefined ? text : wrapMessage(text, width);
}
