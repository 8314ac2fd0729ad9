import { styleText } from 'node:util';
import { Listr } from 'listr2';
import { mendingTasks } from '../doctor/mend.ts';
import type { Finding, SystemCheck } from '../doctor/systemCheck.ts';
import { recognizerCheck, systemChecks } from '../doctor/systemChecks.ts';
import { findInstaller, installCommand } from '../doctor/systemPackages.ts';
import { EXIT } from '../exitCodes.ts';

interface Examined {
  readonly check: SystemCheck;
  readonly finding: Finding;
}

/** Says what is there and what is missing; with `fix`, mends that first. What is not required may stay missing. */
export async function runDoctor(fix: boolean): Promise<void> {
  let examined = await examine();
  const missing = missingOf(examined);
  if (fix && missing.length > 0) {
    const tasks = await mendingTasks(missing);
    if (tasks.length > 0) await new Listr(tasks, { exitOnError: false, collectErrors: true }).run();
    examined = await examine();
  }
  printTable(examined);
  printAdvice(missingOf(examined));
  const broken = examined.some(({ check, finding }) => check.required && !finding.found);
  process.exitCode = broken ? EXIT.internal : EXIT.done;
}

async function examine(): Promise<readonly Examined[]> {
  return Promise.all((await systemChecks()).map(async check => ({ check, finding: await check.find() })));
}

function missingOf(examined: readonly Examined[]): readonly SystemCheck[] {
  return examined.filter(({ finding }) => !finding.found).map(({ check }) => check);
}

function printTable(examined: readonly Examined[]): void {
  const width = Math.max(...examined.map(({ check }) => check.name.length)) + 2;
  for (const { check, finding } of examined) {
    const mark = finding.found ? styleText('green', '✔') : styleText(check.required ? 'red' : 'yellow', '✘');
    const what = finding.found ? finding.what : `${finding.why}; needed for ${check.purpose}`;
    console.log(`${mark} ${check.name.padEnd(width)}${what}`);
  }
}

/** Prints what to run now: what `--fix` can do here, and what only somebody with more rights can. */
function printAdvice(missing: readonly SystemCheck[]): void {
  const packages = missing.flatMap(check => check.packages);
  const installs = packages.length > 0 && findInstaller().kind !== 'none';
  const commands = [
    ...(installs || missing.includes(recognizerCheck) ? ['npx rxscribe doctor --fix'] : []),
    ...(packages.length > 0 && !installs ? [installCommand(packages)] : []),
    ...missing.flatMap(({ command }) => command ?? []),
  ];
  if (commands.length === 0) return;
  console.log('\nTo mend it:');
  for (const command of commands) console.log(`  ${styleText('bold', command)}`);
}
