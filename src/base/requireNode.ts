/** The oldest Node that runs each package, equal to `engines` in the packed packages. */
export const MIN_NODE = { rxscribe: [22, 19], '@rxscribe/server': [24, 0] } as const;

/** Returns a message when Node is too old for a package, else undefined. */
export function nodeTooOld(name: keyof typeof MIN_NODE, found = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = found.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE[name];
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return undefined;
  return `Package '${name}' needs Node ${minMajor}.${minMinor} or newer, not ${found}.`;
}

/** @throws Error when Node is too old for a package */
export function requireNode(name: keyof typeof MIN_NODE): void {
  const message = nodeTooOld(name);
  if (message) throw new Error(message);
}
