import type { ListrTask } from 'listr2';
import { loadLocal } from '../loadLocal.ts';
import { showIn } from './showIn.ts';
import type { SystemCheck } from './systemCheck.ts';
import { recognizerCheck } from './systemChecks.ts';
import { findInstaller, type Installer, installPackages } from './systemPackages.ts';

/** Returns what mends the things that are missing, as tasks that show how far they are; what needs no rights comes first. */
export async function mendingTasks(missing: readonly SystemCheck[]): Promise<ListrTask[]> {
  const tasks = missing.includes(recognizerCheck)
    ? [await (await loadLocal('recognizerTask')).recognizerTask()]
    : [];
  const packages = missing.flatMap(check => check.packages);
  const installer = packages.length > 0 ? findInstaller() : undefined;
  if (installer && installer.kind !== 'none') tasks.push(packagesTask(installer, packages));
  return tasks;
}

function packagesTask(
  installer: Exclude<Installer, { kind: 'none' }>,
  packages: readonly string[],
): ListrTask {
  return {
    title: `installing ${packages.join(', ')}`,
    task: (_, task) => {
      const show = showIn(task);
      return installPackages(installer, packages, (text, percent) =>
        show(text, percent === undefined ? undefined : percent / 100),
      );
    },
  };
}
