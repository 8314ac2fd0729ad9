/** The parts of a PocketSphinx model, as absolute paths. */
export interface ModelFiles {
  /** Directory with `mdef`, `means` and the rest. */
  readonly acousticModel: string;
  readonly languageModel: string;
  readonly dictionary: string;
}

/** Everything a decoder is loaded from. */
export interface PocketSphinxFiles {
  /** Shared libraries in load order, as absolute paths. */
  readonly libraries: readonly string[];
  readonly model: ModelFiles;
}
