import { join } from 'node:path';
import { type RolldownOutput, rolldown } from 'rolldown';
import { addLicences, virtualModule } from './builtIn.ts';

const MODULES = new URL('../../../node_modules/', import.meta.url).pathname;

/**
 * Writes the entry for browsers as one file, which leaves RxJS to the application, and RxJS as one file for pages without a
 * bundler: its package has none that a browser can load.
 *
 * @param built where tsc wrote its modules
 */
export async function writeBrowserFiles(built: string, directory: string): Promise<void> {
  const rxjs = `export * from ${JSON.stringify(join(MODULES, 'rxjs/dist/esm/index.js'))}`;
  addLicences(
    await write(join(built, 'browser/browser.js'), join(directory, 'browser/browser.js')),
    directory,
  );
  addLicences(await write('rxjs-of-pages', join(directory, 'browser/rxjs.js'), rxjs), directory);
}

async function write(input: string, file: string, code?: string): Promise<RolldownOutput> {
  const bundle = await rolldown({
    input,
    platform: 'browser',
    external: code === undefined ? ['rxjs'] : [],
    // tsc wrote outside of the checkout, where no packages are.
    resolve: { modules: [MODULES] },
    plugins: code === undefined ? [] : [virtualModule(input, code)],
  });
  const written = await bundle.write({ file, format: 'esm', minify: true });
  await bundle.close();
  return written;
}
