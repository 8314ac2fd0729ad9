import { existsSync } from 'node:fs';
import { type TestContext, test } from 'vitest';
import { findProgram } from '../../src/audio/source/program.ts';
import { modelsDirectory } from '../../src/base/models.ts';
import { PAIRED_MODEL } from '../../src/engines/models/catalogue.ts';
import { modelState } from '../../src/engines/models/modelState.ts';

/**
 * Skips a test for the lack of something that `npm ci` does not install. `npm test` leaves out tests with the tag
 * `tools`, so that a contributor needs none of it.
 *
 * @param missing what is not there; undefined when the test can run
 * @throws Error when the test lacks the tag
 */
export function needs({ task, skip }: TestContext, missing: string | undefined): void {
  if (!task.tags?.includes('tools')) throw new Error(`Give '${task.name}' the tag 'tools'.`);
  if (missing !== undefined) skip(`needs ${missing}`);
}

/** Skips a test where the speech model is not installed. */
export async function needsRecognizer(context: TestContext): Promise<void> {
  const state = await modelState(PAIRED_MODEL, modelsDirectory());
  needs(context, state === 'installed' ? undefined : 'the speech model: npm run setup');
}

/** Skips a test where a program is not on the PATH. */
export function needsProgram(context: TestContext, program: string): void {
  needs(context, findProgram(program) ? undefined : program);
}

type Run = (context: TestContext) => unknown;

/** Declares a test with the tag `tools`, which begins with a check that may skip it. */
function testWith(check: Run, title: string, run: Run): void {
  test(title, { tags: 'tools' }, async context => {
    await check(context);
    await run(context);
  });
}

/** Declares a test that is skipped where the speech model is not installed. */
export function testRecognizer(title: string, run: Run): void {
  testWith(needsRecognizer, title, run);
}

/** Declares a test that is skipped where a program is not on the PATH. */
export function testProgram(title: string, program: string, run: Run): void {
  testWith(context => needsProgram(context, program), title, run);
}

/** Path of Chromium. */
export const CHROMIUM_PATH = process.env.RXSCRIBE_CHROMIUM ?? '/usr/bin/chromium';

/** Path of Firefox. */
export const FIREFOX_PATH = '/usr/bin/firefox-esr';

/** Skips a test where there is no Firefox. */
export function needsFirefox(context: TestContext): void {
  needs(context, existsSync(FIREFOX_PATH) ? undefined : FIREFOX_PATH);
}

/** Skips a test where there is no Chromium. */
export function needsChromium(context: TestContext): void {
  needs(context, existsSync(CHROMIUM_PATH) ? undefined : `${CHROMIUM_PATH}, or RXSCRIBE_CHROMIUM`);
}
