declare module 'node-record-lpcm16/recorders/*.js' {
  /** Returns the command that records. */
  function commandOf(options: {
    readonly device?: string;
    readonly sampleRate?: number;
    readonly channels?: number;
    readonly audioType: 'raw';
  }): {
    readonly cmd: string;
    readonly args: readonly string[];
    readonly spawnOptions?: { readonly env?: NodeJS.ProcessEnv };
  };
  export default commandOf;
}
