import packageJson from 'rxscribe/package.json' with { type: 'json' };

/** What makes a cassette, and its version. */
export const SOFTWARE_VERSIONS: Readonly<Record<string, string>> = {
  rxscribe: packageJson.version,
  node: process.versions.node,
};
