import packageJson from 'rxscribe/package.json' with { type: 'json' };

/** Who the service says it is, to those it asks. */
export const USER_AGENT = `rxscribe/${packageJson.version}`;
