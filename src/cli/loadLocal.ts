import packageJson from 'rxscribe/package.json' with { type: 'json' };
import { messageOf, RxscribeError } from '../base/errors.ts';
import { nodeTooOld } from '../base/requireNode.ts';

/** Parts of commands that need the service or an engine: they are in the package `@rxscribe/server`. */
const MODULES = {
  embeddedService: () => import('./local/embeddedService.ts'),
  modelListRun: () => import('./local/modelListRun.ts'),
  modelPullRun: () => import('./local/modelPullRun.ts'),
  modelUseRun: () => import('./local/modelUseRun.ts'),
  modelVerifyRun: () => import('./local/modelVerifyRun.ts'),
  recognizerCheck: () => import('./local/recognizerCheck.ts'),
  recognizerTask: () => import('./local/recognizerTask.ts'),
  serveRun: () => import('./local/serveRun.ts'),
};

type Modules = typeof MODULES;

/** Command that brings the package with the service. */
export const INSTALL_SERVER = `npm install @rxscribe/server@${packageJson.version}`;

/**
 * Loads a module of `local/`. Nothing else of the commands may load the service or an engine.
 *
 * @throws RxscribeError `engine-missing` when `@rxscribe/server` is not installed, or needs a newer Node
 */
export async function loadLocal<Name extends keyof Modules>(
  name: Name,
): Promise<Awaited<ReturnType<Modules[Name]>>> {
  const complaint = nodeTooOld('@rxscribe/server');
  if (complaint) throw new RxscribeError('engine-missing', complaint);
  try {
    return (await MODULES[name]()) as Awaited<ReturnType<Modules[Name]>>;
  } catch (error) {
    if (!isServerMissing(error)) throw error;
    // Only commands with --url use that one.
    const otherwise = name === 'embeddedService' ? ', or name another service with --url' : '';
    throw new RxscribeError(
      'engine-missing',
      `use the speech service or its engines: wanted the package @rxscribe/server, found none. Run ${INSTALL_SERVER} where rxscribe is installed (-g for a global one)${otherwise}`,
      { cause: error },
    );
  }
}

/** Resolves with whether the package with the service is installed. */
export async function hasServer(): Promise<boolean> {
  try {
    await MODULES.recognizerCheck();
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
