import type { ListrTask } from 'listr2';
import { installPocketSphinx } from '../engines/pocketsphinx/install.ts';
import { progressBar } from './progressBar.ts';
import { recognizerCheck, type SystemCheck } from './systemChecks.ts';
import { findInstaller, type Installer, installPackages, type OnProgress } from './systemPackages.ts';

/** What mends the things that are missing, as tasks that show how far they are. */
export function mendingTasks(missing: readonly SystemCheck[]): ListrTask[] {
  const installer = findInstaller();
  if (installer.kind !== 'none')
    return [
      packagesTask(
        installer,
        missing.flatMap(check => check.packages),
      ),
    ];
  // Only the recogniser can be had without the right to install.
  return missing.includes(recognizerCheck) ? [recognizerTask()] : [];
}

function packagesTask(
  installer: Exclude<Installer, { kind: 'none' }>,
  packages: readonly string[],
): ListrTask {
  return {
    title: `installing ${packages.join(', ')}`,
    task: (_, task) => installPackages(installer, packages, showIn(task)),
  };
}

function recognizerTask(): ListrTask {
  return {
    title: 'fetching the recogniser into the cache directory',
    task: (_, task) => installPocketSphinx({ onProgress: showIn(task) }),
  };
}

function showIn(task: { output: string }): OnProgress {
  return (text, percent) => {
    task.output = percent === undefined ? text : `${progressBar(percent / 100)} ${text}`;
  };
}
