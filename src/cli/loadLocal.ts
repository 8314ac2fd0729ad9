import packageJson from 'rxscribe/package.json' with { type: 'json' };
import { messageOf, RxscribeError } from '../base/errors.ts';
import { nodeTooOld } from '../base/requireNode.ts';

/** Parts of commands that need the service or an engine: they are in the package `@rxscribe/server`. */
const MODULES = {
  dumpRun: () => import('./local/dumpRun.ts'),
  embeddedService: () => import('./local/embeddedService.ts'),
  englishPhrases: () => import('../engines/englishPhrases.ts'),
  modelList: () => import('./local/modelList.ts'),
  modelPull: () => import('./local/modelPull.ts'),
  modelUse: () => import('./local/modelUse.ts'),
  modelVerify: () => import('./local/modelVerify.ts'),
  recognizer: () => import('./local/recognizer.ts'),
  serveRun: () => import('./local/serveRun.ts'),
};

type Modules = typeof MODULES;

/** Command that installs the package with the service. */
export const INSTALL_SERVER = `npm install @rxscribe/server@${packageJson.version}`;

/**
 * Loads a module of `local/` or `engines`. Only this file may load the service or an engine.
 *
 * @throws RxscribeError `engine-missing` when `@rxscribe/server` is not installed, or needs a newer Node
 */
export async function loadLocal<Name extends keyof Modules>(
  name: Name,
): Promise<Awaited<ReturnType<Modules[Name]>>> {
  const problem = nodeTooOld('@rxscribe/server');
  if (problem) throw new RxscribeError('engine-missing', problem);
  try {
    return (await MODULES[name]()) as Awaited<ReturnType<Modules[Name]>>;
  } catch (error) {
    if (!isServerMissing(error)) throw error;
    // Only commands with --url use that module.
    const otherwise = name === 'embeddedService' ? ', or name another service with --url' : '';
    throw new RxscribeError(
      'engine-missing',
      `This command needs the package @rxscribe/server, which is not installed. Run '${INSTALL_SERVER}' where rxscribe is installed (-g for a global one)${otherwise}.`,
      { cause: error },
    );
  }
}

/** Resolves with true when the package with the service is installed. */
export async function hasServer(): Promise<boolean> {
  try {
    await MODULES.recognizer();
    return true;
  } catch (error) {
    if (isServerMissing(error)) return false;
    throw error;
  }
}

function isServerMissing(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes("'@rxscribe/server'");
}
