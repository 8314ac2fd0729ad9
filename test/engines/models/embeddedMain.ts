import { ensureEmbeddedModel } from '../../../src/engines/models/embeddedModel.ts';

/** Downloads a model to a directory if it is missing, and prints the directory of the model. */
const [, , directory, model] = process.argv;
process.stdout.write(await ensureEmbeddedModel({ directory, model: JSON.parse(model!) }));
