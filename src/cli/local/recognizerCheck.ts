import { messageOf } from '../../base/errors.ts';
import { EMBEDDED_MODEL } from '../../engines/models/catalogue.ts';
import type { CatalogueModel } from '../../engines/models/catalogueModel.ts';
import { findFaults } from '../../engines/models/modelState.ts';
import type { Finding } from '../doctor/systemCheck.ts';
import { embeddedModelPlace } from './fetchEmbedded.ts';

/** Resolves with whether all files of the recogniser are there, by their checksums, and the model can be loaded. */
export async function findRecognizer(): Promise<Finding> {
  const { model, directory } = await embeddedModelPlace();
  try {
    const faults = await findFaults(model, directory);
    if (faults.length === 0) return { found: true, what: `${model.name}${await runtimeText(model)}` };
    const isAbsent = faults.every(({ fault }) => fault === 'missing');
    return {
      found: false,
      why: `${model.name} ${isAbsent ? 'was not fetched' : 'is incomplete or damaged'}`,
    };
  } catch (error) {
    return { found: false, why: messageOf(error) };
  }
}

/** Loads the model once, unless a catalogue has another in its place. Resolves with what runs it, for people. */
async function runtimeText(model: CatalogueModel): Promise<string> {
  if (model !== EMBEDDED_MODEL) return '';
  const [{ createMoonshineRecognizer }, { findNativeLibrary }] = await Promise.all([
    import('../../engines/moonshine/recognizer.ts'),
    import('../../engines/moonshine/nativeLibrary.ts'),
  ]);
  await using recognizer = createMoonshineRecognizer();
  await recognizer.warm();
  return findNativeLibrary() ? ', native' : ', by WebAssembly';
}
