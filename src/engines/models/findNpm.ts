import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

/** Where npm stands: from both it finds settings of the whole machine. */
export interface NpmPlace {
  /** The directory of its package. */
  readonly npmPath: string;
  /** The Node that runs it. */
  readonly execPath: string;
}

const NPM_PROGRAM = 'npm-cli.js';

/**
 * Returns the npm that runs this process, else the first one on the PATH with the Node beside it, as a shell would start
 * it. The Node of this process may be another one, whose global settings nobody wrote.
 */
export async function findNpm(env: NodeJS.ProcessEnv = process.env): Promise<NpmPlace> {
  const { npm_execpath: running = '', npm_node_execpath: runner } = env;
  if (basename(running) === NPM_PROGRAM && runner) return { npmPath: packageOf(running), execPath: runner };
  for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const program = await existing(join(folder, 'npm'));
    if (program === undefined || basename(program) !== NPM_PROGRAM) continue;
    const execPath = (await existing(join(folder, 'node'))) ?? process.execPath;
    return { npmPath: packageOf(program), execPath };
  }
  const beside = join(dirname(dirname(process.execPath)), 'lib/node_modules/npm');
  return { npmPath: beside, execPath: process.execPath };
}

function packageOf(program: string): string {
  return dirname(dirname(program));
}

/** Without links; undefined where there is nothing. */
function existing(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
