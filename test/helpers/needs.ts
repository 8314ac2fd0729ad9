import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';
import { createPocketSphinxRecognizer } from '../../src/engines/pocketsphinx/recognizer.ts';

/** Skips a test, with the reason in the output, where the recogniser is not installed. */
export async function needsRecognizer(context: TestContext): Promise<void> {
  const recognizer = createPocketSphinxRecognizer({});
  try {
    await recognizer.warm();
  } catch {
    context.skip('needs the recogniser: npm run setup');
  } finally {
    await recognizer.close();
  }
}

/** Skips a test where a program is not on the PATH. */
export function needsProgram(context: TestContext, program: string): void {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error) context.skip(`needs ${program}`);
}
