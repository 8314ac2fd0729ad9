import { styleText } from 'node:util';
import type { Command } from 'commander';
import { messageOf } from '../../base/errors.ts';
import type { Context } from '../context.ts';
import type { SystemCheck } from '../doctor/systemChecks.ts';
import { EXIT } from '../exitCodes.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { loadLocal } from '../loadLocal.ts';
import type { Finding } from '../local/recognizer.ts';
import { type CheckRow, printChecks } from '../print/checkTable.ts';
import { type ProgressLine, progressLine } from '../print/progressLine.ts';
import { columnsText } from '../print/table.ts';

/** `rxscribe doctor`, which checks and repairs the machine, and checks the parts of live captions. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  description: 'show installed and missing parts, and check live captions before an event',
  examples: [
    'rxscribe doctor --fix',
    'rxscribe doctor --microphones',
    'rxscribe doctor --config captions.yaml',
  ],
  options: [
    optionGroup('Checks', {
      '--fix': 'fetch and install missing parts',
      '--config <file>': {
        help: 'check inputs, services and outputs of a configuration of caption',
        conflicts: ['fix'],
      },
      '--microphones': {
        help: 'list microphones with their values for --device',
        conflicts: ['fix', 'config'],
      },
    }),
  ],
  exitCodes: 'Exit codes: 0 all that is required was found and works, 1 something is missing or fails.',
  run({ flags: { fix = false, config, microphones }, context, command }) {
    if (microphones) return printMicrophones(context);
    return config === undefined ? runDoctor(context, fix) : checkConfig(command, config);
  },
});

/** Checks a configuration as `rxscribe caption --check` does. */
async function checkConfig(doctor: Command, path: string): Promise<void> {
  const caption = doctor.parent?.commands.find(command => command.name() === 'caption');
  await caption?.parseAsync(['--config', path, '--check'], { from: 'user' });
}

/** Prints the microphones of this machine. The exit code is 1 without any. */
async function printMicrophones(context: Context): Promise<void> {
  const { listMicrophones } = await import('../../audio/source/microphones.ts');
  const microphones = await listMicrophones();
  if (microphones.length === 0) {
    context.stderr.write('No microphone was found.\n');
    context.exitCode = EXIT.internal;
    return;
  }
  const rows = microphones.map(({ id, name, isDefault }) => [id, name, isDefault ? 'default' : '']);
  context.stdout.write(columnsText(['--device', 'Name', ''], rows, context.stdout));
}

interface Examined extends SystemCheck {
  readonly finding: Finding;
}

/**
 * Prints which parts are present and which are missing. With `fix`, installs missing parts first. Optional parts may stay
 * missing.
 */
async function runDoctor(context: Context, fix: boolean): Promise<void> {
  let examined = await examine(context);
  const missing = missingOf(examined);
  if (fix && missing.length > 0) {
    await installMissing(context, missing);
    examined = await examine(context);
  }
  printChecks(context.stdout, examined.map(rowOf));
  await printAdvice(context, missingOf(examined));
  const isBroken = missingOf(examined).some(({ required }) => required);
  context.exitCode = isBroken ? EXIT.internal : EXIT.done;
}

async function examine({ env }: Context): Promise<readonly Examined[]> {
  const { systemChecks } = await import('../doctor/systemChecks.ts');
  const checks = await systemChecks();
  return Promise.all(checks.map(async check => ({ ...check, finding: await check.find(env) })));
}

function missingOf(examined: readonly Examined[]): readonly SystemCheck[] {
  return examined.filter(({ finding }) => !finding.found);
}

function rowOf({ name, required, purpose, finding }: Examined): CheckRow {
  if (finding.found) return { name, result: 'passed', text: finding.what };
  const text = `${finding.why}; needed for ${purpose}`;
  return { name, result: required ? 'failed' : 'missing', text };
}

/** Fetches and installs missing parts, as far as possible; parts that require no rights come first. */
async function installMissing(context: Context, missing: readonly SystemCheck[]): Promise<void> {
  const { findApt, installPackages } = await import('../doctor/systemPackages.ts');
  using progress = progressLine(context.stderr);
  if (missing.some(({ isRecognizer }) => isRecognizer)) {
    const { recognizerTask } = await loadLocal('recognizer');
    const { title, run } = await recognizerTask(context.env);
    await runTask(title, run, progress);
  }
  const packages = missing.flatMap(({ packages = [] }) => packages);
  const apt = packages.length > 0 ? findApt(context.env) : undefined;
  if (!apt) return;
  const install = (show: ShowStep) =>
    installPackages(apt, packages, {
      env: context.env,
      onProgress: (text, percent) => show(text, percent === undefined ? undefined : percent / 100),
    });
  await runTask(`Installing ${packages.join(', ')}`, install, progress);
}

type ShowStep = (step: string, fraction?: number) => void;

/** Runs a task, and shows it with its steps and its end. */
async function runTask(
  title: string,
  run: (show: ShowStep) => Promise<void>,
  progress: ProgressLine,
): Promise<void> {
  progress.step(title);
  try {
    await run((step, fraction) => progress.step(step === '' ? title : `${title}: ${step}`, fraction));
    progress.note(`✔ ${title}`);
  } catch (error) {
    progress.note(`✘ ${title}: ${messageOf(error)}`);
  }
}

/** Prints the commands to run now: `--fix` for what it can install here, others for what requires more rights. */
async function printAdvice({ stdout, env }: Context, missing: readonly SystemCheck[]): Promise<void> {
  const { findApt, installCommand } = await import('../doctor/systemPackages.ts');
  const packages = missing.flatMap(({ packages = [] }) => packages);
  const canInstall = packages.length > 0 && findApt(env) !== undefined;
  const canFix = canInstall || missing.some(({ isRecognizer }) => isRecognizer);
  const commands = [
    ...(canFix ? ['npx rxscribe doctor --fix'] : []),
    ...(packages.length > 0 && !canInstall ? [installCommand(packages, env)] : []),
    ...missing.flatMap(({ command }) => command ?? []),
  ];
  if (commands.length === 0) return;
  stdout.write('\nTo install missing parts:\n');
  for (const command of commands) stdout.write(`  ${styleText('bold', command, { stream: stdout })}\n`);
}
