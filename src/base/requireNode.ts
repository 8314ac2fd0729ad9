/** The oldest Node that runs each package: `engines` of package.json and of what is packed says the same. */
export const MIN_NODE = { rxscribe: [22, 19], '@rxscribe/server': [24, 0] } as const;

/** Returns the sentence for people whose Node is too old for a package; undefined when it is recent enough. */
export function nodeTooOld(name: keyof typeof MIN_NODE, found = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = found.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE[name];
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return undefined;
  return `${name} needs Node ${minMajor}.${minMinor} or newer, found ${found}`;
}

/** @throws Error when Node is too old for a package */
export function requireNode(name: keyof typeof MIN_NODE): void {
  const complaint = nodeTooOld(name);
  if (complaint) throw new Error(complaint);
}
