/** One thing that rxscribe uses of the machine. */
export interface SystemCheck {
  readonly name: string;
  /** What works only with it. */
  readonly purpose: string;
  /** Nothing works without it; otherwise only its purpose is missing. */
  readonly required: boolean;
  /** Debian packages that bring it. */
  readonly packages: readonly string[];
  /** A command that brings what no `--fix` does. */
  readonly command?: string;
  /** What was found (a version, a path), or why it cannot be used. */
  find(): Promise<Finding>;
}

export type Finding =
  | { readonly found: true; readonly what: string }
  | { readonly found: false; readonly why: string };
