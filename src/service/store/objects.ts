/** Named contents of any size, beside the rows: media, transcripts. */
export interface Objects {
  /** Where this process may make files that are to become objects. What is left there is removed when it is gone. */
  readonly spoolDirectory: string;
  /** Writes all of an object or nothing, and replaces it when it is there. */
  put(key: string, contents: string): Promise<void>;
  /** Makes a file of the spool an object, by moving it. */
  adopt(key: string, path: string): Promise<void>;
  /** Undefined when there is no such object. */
  get(key: string): Promise<string | undefined>;
  /** Path of a file with the contents of an object, to be read only; undefined when there is no such object. */
  pathOf(key: string): Promise<string | undefined>;
  /** The next part of the keys that begin with the prefix and a slash, each once. */
  names(prefix: string): Promise<readonly string[]>;
  /** When something began or ceased to be directly below the prefix; undefined when nothing is there. */
  changedOn(prefix: string): Promise<Date | undefined>;
  /** Deletes every object whose key begins with the prefix and a slash; harmless when there is none. */
  removeAll(prefix: string): Promise<void>;
}
