import type { ListrTask } from 'listr2';
import { ensureEmbeddedModel } from '../engines/models/embeddedModel.ts';
import { type EmbeddedModelPlace, embeddedModelPlace, fetchingText } from './fetchEmbedded.ts';
import { progressBar } from './progressBar.ts';
import { recognizerCheck, type SystemCheck } from './systemChecks.ts';
import { findInstaller, type Installer, installPackages } from './systemPackages.ts';

/** Returns what mends the things that are missing, as tasks that show how far they are; what needs no rights comes first. */
export async function mendingTasks(missing: readonly SystemCheck[]): Promise<ListrTask[]> {
  const tasks = missing.includes(recognizerCheck) ? [recognizerTask(await embeddedModelPlace())] : [];
  const packages = missing.flatMap(check => check.packages);
  const installer = packages.length > 0 ? findInstaller() : undefined;
  if (installer && installer.kind !== 'none') tasks.push(packagesTask(installer, packages));
  return tasks;
}

function recognizerTask(place: EmbeddedModelPlace): ListrTask {
  return {
    title: fetchingText(place),
    task: async (_, task) => {
      const show = showIn(task);
      await ensureEmbeddedModel({
        ...place,
        verify: true,
        onWait: () => show('another process is fetching it'),
        onProgress: fraction => show('', fraction),
        onRetry: reason => show(`again after ${reason}`),
      });
    },
  };
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

/** How far it is belongs on a terminal: elsewhere each change would be a line, so that steps alone are shown. */
function showIn(task: { output: string }): (text: string, fraction?: number) => void {
  return (text, fraction) => {
    if (fraction === undefined) task.output = text;
    else if (process.stdout.isTTY) task.output = `${progressBar(fraction)} ${text}`;
  };
}
