import { messageOf } from '../../base/errors.ts';
import { type CatalogueModel, PAIRED_MODEL } from '../../engines/models/catalogue.ts';
import { embeddedModel, ensureEmbeddedModel } from '../../engines/models/embeddedModel.ts';
import { findFaults, modelState } from '../../engines/models/modelState.ts';
import { readCatalogue } from '../../engines/models/readCatalogue.ts';
import { modelFlagsOf } from '../flags/modelOptions.ts';
import { embeddedModelPlace, fetchingText } from './fetchEmbedded.ts';

/** Version or path of a found thing; of a missing one, the reason. */
export type Finding =
  | { readonly found: true; readonly what: string }
  | { readonly found: false; readonly why: string };

/** Memory of a process with the model of another language. */
const OTHER_MEGABYTES = 350;

/** Checks the files of the recogniser by their checksums, and loads its model. */
export async function findRecognizer(env: NodeJS.ProcessEnv): Promise<Finding> {
  const { model, directory } = await embeddedModelPlace(env);
  try {
    const faults = await findFaults(model, directory);
    if (faults.length === 0) {
      const more = (await otherModels(env)).map(
        name => `; with --model ${model.name},${name}: ${OTHER_MEGABYTES} MB more`,
      );
      return { found: true, what: `${model.name}${await runtimeText(model)}${more.join('')}` };
    }
    const isAbsent = faults.every(({ fault }) => fault === 'missing');
    const state = isAbsent ? 'has not been fetched' : 'is incomplete or damaged';
    return { found: false, why: `${model.name} ${state}` };
  } catch (error) {
    return { found: false, why: messageOf(error) };
  }
}

/** Returns the names of installed models of the same engine for other languages, which `--model` adds. */
async function otherModels(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { directory, catalogue } = modelFlagsOf(env);
  const others = (await readCatalogue(catalogue)).filter(
    ({ package: source, languages }) => source && !languages.includes('en'),
  );
  const states = await Promise.all(others.map(model => modelState(model, directory)));
  return others.filter((_, index) => states[index] === 'installed').map(({ name }) => name);
}

/** Loads the model, unless a catalogue replaces it. Resolves with its runtime for people. */
async function runtimeText(model: CatalogueModel): Promise<string> {
  if (model !== embeddedModel()) return '';
  const [{ createMoonshineRecognizer }, { findNativeLibrary }] = await Promise.all([
    import('../../engines/moonshine/recognizer.ts'),
    import('../../engines/native/nativeLibrary.ts'),
  ]);
  await using recognizer = createMoonshineRecognizer();
  await recognizer.warm();
  const sizes = model === PAIRED_MODEL ? ' (base, with tiny for partials)' : '';
  return `${sizes}, ${findNativeLibrary() ? 'native' : 'by WebAssembly'}`;
}

/** Resolves with the task that fetches the recogniser, or those of its files that are damaged. */
export async function recognizerTask(env: NodeJS.ProcessEnv) {
  const place = await embeddedModelPlace(env);
  return {
    title: fetchingText(place),
    async run(show: (step: string, fraction?: number) => void): Promise<void> {
      await ensureEmbeddedModel({
        ...place,
        verify: true,
        onWait: () => show('waiting for another process'),
        onProgress: fraction => show('', fraction),
        onRetry: reason => show(`again after ${reason}`),
      });
    },
  };
}
