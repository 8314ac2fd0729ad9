import { existsSync } from 'node:fs';
import type { TestContext } from 'vitest';
import { findProgram } from '../../src/audio/source/program.ts';
import { modelsDirectory } from '../../src/base/models.ts';
import { EMBEDDED_MODEL } from '../../src/engines/models/catalogue.ts';
import { modelState } from '../../src/engines/models/modelState.ts';

/** Skips a test, with the reason in the output, where the recogniser is not installed. */
export async function needsRecognizer(context: TestContext): Promise<void> {
  const state = await modelState(EMBEDDED_MODEL, modelsDirectory());
  if (state !== 'installed') context.skip('needs the recogniser: npm run setup');
}

/** Skips a test where a program is not on the PATH. */
export function needsProgram(context: TestContext, program: string): void {
  if (!findProgram(program)) context.skip(`needs ${program}`);
}

/** Where Chromium is. */
export const CHROMIUM_PATH = process.env.RXSCRIBE_CHROMIUM ?? '/usr/bin/chromium';

/** Skips a test where there is no Chromium. */
export function needsChromium(context: TestContext): void {
  if (!existsSync(CHROMIUM_PATH)) context.skip(`needs ${CHROMIUM_PATH}, or RXSCRIBE_CHROMIUM`);
}
