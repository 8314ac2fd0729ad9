declare module 'pacote' {
  /** Options of npm as `@npmcli/config` flattens them, and those of one package. */
  type PackageOptions = Readonly<Record<string, unknown>>;
  export interface Tarball extends AsyncIterable<Uint8Array, void> {
    on(event: 'error', listener: (error: Error) => void): this;
  }
  const pacote: {
    readonly tarball: {
      /** Calls the handler with the bytes of a package's archive, again where what came was damaged. */
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
    /** The directory of npm's package, which may hold settings of whoever distributes it. */
    readonly npmPath: string;
    /** The program of Node, by which the global settings are found. */
    readonly execPath: string;
    readonly argv: readonly string[];
    /** Settings are written into it. */
    readonly env: NodeJS.ProcessEnv;
    readonly cwd: string;
    /** Report unknown settings. */
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
