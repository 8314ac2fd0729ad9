/** Named contents of any size, beside the rows: transcripts, later media. */
export interface Objects {
  /** Writes all of an object or nothing, and replaces it when it is there. */
  put(key: string, contents: string): Promise<void>;
  /** Undefined when there is no such object. */
  get(key: string): Promise<string | undefined>;
  /** Deletes every object whose key begins with the prefix and a slash; harmless when there is none. */
  removeAll(prefix: string): Promise<void>;
}

/** Objects that are gone with the process. */
export function createMemoryObjects(): Objects {
  const contents = new Map<string, string>();
  return {
    async put(key, text) {
      contents.set(key, text);
    },
    get: async key => contents.get(key),
    async removeAll(prefix) {
      for (const key of contents.keys()) if (key.startsWith(`${prefix}/`)) contents.delete(key);
    },
  };
}
