import { type ExtensibleExpect, registerMatchers } from './replayMatchers.ts';

/** Gives the matchers to vitest where this is imported in a test; elsewhere vitest is not even looked for. */
if (process.env.VITEST) {
  const expect = await expectOfVitest();
  if (expect) registerMatchers(expect);
}

/** Undefined in what a test has started: it inherits the environment, but is no test. */
async function expectOfVitest(): Promise<ExtensibleExpect | undefined> {
  try {
    const { expect } = await import('vitest');
    return expect;
  } catch {
    return undefined;
  }
}
