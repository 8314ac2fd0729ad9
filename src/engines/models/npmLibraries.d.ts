declare module 'pacote' {
  /** npm's options, flattened by `@npmcli/config`, and those of one package. */
  type PackageOptions = Readonly<Record<string, unknown>>;
  export interface Tarball {
    on(event: 'data', listener: (piece: Uint8Array) => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
    on(event: 'end', listener: () => void): this;
  }
  const pacote: {
    readonly tarball: {
      /** Calls the handler with the archive of a package, and again if the data were damaged. */
      stream<T>(spec: string, handler: (tarball: Tarball) => Promise<T>, options: PackageOptions): Promise<T>;
    };
  };
  export default pacote;
}

declare module '@npmcli/config' {
  export interface ConfigOptions {
    readonly definitions: object;
    readonly shorthands: object;
    readonly nerfDarts: readonly string[];
    readonly flatten: (values: object, flat: object) => object;
    /** Directory of npm's package, which may contain settings of its distributor. */
    readonly npmPath: string;
    /** Path of Node, which the global settings depend on. */
    readonly execPath: string;
    readonly argv: readonly string[];
    /** Environment; the settings are written to it. */
    readonly env: NodeJS.ProcessEnv;
    readonly cwd: string;
    /** True to report unknown settings. */
    readonly warn: boolean;
  }
  export default class Config {
    constructor(options: ConfigOptions);
    load(): Promise<void>;
    readonly flat: Readonly<Record<string, unknown>>;
  }
}

declare module '@npmcli/config/lib/definitions/index.js' {
  import type { ConfigOptions } from '@npmcli/config';

  const definitions: Pick<ConfigOptions, 'definitions' | 'shorthands' | 'nerfDarts' | 'flatten'>;
  export default definitions;
}
