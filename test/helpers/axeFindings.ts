import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Returns the findings of axe-core on a page, each with its element. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const rules = { 'label-content-name-mismatch': { enabled: true } };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify({ rules })})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
