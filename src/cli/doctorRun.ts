import { styleText } from 'node:util';
import { Listr } from 'listr2';
import { EXIT } from './exitCodes.ts';
import { mendingTasks } from './mend.ts';
import { type Finding, SYSTEM_CHECKS, type SystemCheck } from './systemChecks.ts';
import { findInstaller, installCommand } from './systemPackages.ts';

interface Examined {
  readonly check: SystemCheck;
  readonly finding: Finding;
}

/** Says what is there and what is missing; with `fix`, installs that first. */
export async function runDoctor(fix: boolean): Promise<void> {
  let examined = await examine();
  const missing = missingOf(examined);
  if (fix && missing.length > 0) {
    const tasks = mendingTasks(missing);
    if (tasks.length > 0) await new Listr(tasks, { exitOnError: false, collectErrors: true }).run();
    examined = await examine();
  }
  printTable(examined);
  printAdvice(missingOf(examined), !fix);
  const broken = examined.some(({ check, finding }) => check.required && !finding.found);
  process.exitCode = broken ? EXIT.internal : EXIT.done;
}

async function examine(): Promise<readonly Examined[]> {
  return Promise.all(SYSTEM_CHECKS.map(async check => ({ check, finding: await check.find() })));
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

/** What to run now; to fix it here is no advice after that was tried, unless it is possible in full. */
function printAdvice(missing: readonly SystemCheck[], untried: boolean): void {
  const packages = missing.flatMap(check => check.packages);
  if (packages.length === 0) return;
  const fixable = findInstaller().kind !== 'none' || (untried && mendingTasks(missing).length > 0);
  const command = fixable ? 'npx rxscribe doctor --fix' : installCommand(packages);
  console.log(`\nTo mend it:\n  ${styleText('bold', command)}`);
}
