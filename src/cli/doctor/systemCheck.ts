/** One thing that rxscribe uses of the machine. */
export interface SystemCheck {
  readonly name: string;
  /** The features that need it. */
  readonly purpose: string;
  /** True when no command works without it; otherwise only its purpose is missing. */
  readonly required: boolean;
  /** Debian packages that bring it. */
  readonly packages: readonly string[];
  /** A command that brings what no `--fix` does. */
  readonly command?: string;
  /** The version or path that was found, or why it cannot be used. */
  find(): Promise<Finding>;
}

export type Finding =
  | { readonly found: true; readonly what: string }
  | { readonly found: false; readonly why: string };
