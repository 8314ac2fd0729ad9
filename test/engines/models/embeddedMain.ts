import { ensureEmbeddedModel } from '../../../src/engines/models/embeddedModel.ts';

/** Makes a model sure in a directory, and prints its kind. */
const [, , directory, model] = process.argv;
const { kind } = await ensureEmbeddedModel({ directory, model: JSON.parse(model!) });
process.stdout.write(kind);
