import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Ends a run with one plain line, `N passed, N failed, N skipped`, and names the reason of each skip.
 * With RXSCRIBE_NO_SKIP set, a skipped test fails the run.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const cases = modules.flatMap(module => [...module.children.allTests()]);
    const count = (state: string) => cases.filter(test => test.result().state === state).length;
    const broken = modules.filter(module => module.errors().length > 0).length + unhandledErrors.length;
    const skipped = cases.filter(test => test.result().state === 'skipped');
    for (const test of skipped) console.log(`skipped: ${test.fullName}${reason(test)}`);
    const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
    console.log(`\n${count('passed')} passed, ${count('failed') + broken} failed${tail}`);
    if (skipped.length > 0 && process.env.RXSCRIBE_NO_SKIP) process.exitCode = 1;
  }
}

function reason(test: TestCase): string {
  const result = test.result();
  return result.state === 'skipped' && result.note ? ` (${result.note})` : '';
}
