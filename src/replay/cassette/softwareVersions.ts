import packageJson from 'rxscribe/package.json' with { type: 'json' };

/** Versions of the programs that make a cassette or a report. */
export const SOFTWARE_VERSIONS: Readonly<Record<string, string>> = {
  rxscribe: packageJson.version,
  node: process.versions.node,
};
