import { DefaultReporter, type TestCase, type TestModule, type Vitest } from 'vitest/node';

/** Tests of `npm run test:rest`; `npm test` has all others. */
const REST = ['slow', 'tools'];

/**
 * Prints failures as vitest does, and ends with one plain line, `N passed, N failed`. Tests that a `--tags-filter` leaves
 * out are not mentioned. A test that passed only when it was repeated is named. Each skipped test is named with its
 * reason, and fails the run if RXSCRIBE_NO_SKIP is set.
 */
export default class RunReporter extends DefaultReporter {
  #isChosen: (test: TestCase) => boolean = () => true;

  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    const filter = vitest.config.tagsFilter?.join(' ');
    if (filter === undefined) return;
    const wantsRest = !filter.includes('!');
    this.#isChosen = test => test.tags.some(tag => REST.includes(tag)) === wantsRest;
  }

  protected override printTestModule(module: TestModule): void {
    const state = module.state();
    if (state !== 'passed' && state !== 'skipped') {
      super.printTestModule(module);
      return;
    }
    const count = [...module.children.allTests()].filter(this.#isChosen).length;
    const seconds = (module.diagnostic().duration / 1000).toFixed(1);
    if (count > 0) this.log(` ✓ ${module.relativeModuleId} (${count}) ${seconds} s`);
  }

  override reportTestSummary(): void {
    const modules = this.ctx.state.getTestModules();
    const cases = modules.flatMap(module => [...module.children.allTests()]).filter(this.#isChosen);
    const count = (state: string) => cases.filter(test => test.result().state === state).length;
    const broken = modules.filter(module => module.errors().length > 0).length;
    const unhandled = this.ctx.state.getUnhandledErrors().length;
    const skipped = cases.filter(test => test.result().state === 'skipped');
    for (const test of skipped) this.log(`skipped: ${test.fullName}${reason(test)}`);
    for (const test of cases.filter(test => test.diagnostic()?.flaky)) {
      this.log(`passed at the second attempt only: ${test.fullName}`);
    }
    const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
    const seconds = Math.round((this.end - this.start) / 1000);
    this.log(
      `\n${count('passed')} passed, ${count('failed') + broken + unhandled} failed${tail} (${seconds} s)`,
    );
    if (skipped.length > 0 && process.env.RXSCRIBE_NO_SKIP) process.exitCode = 1;
  }
}

function reason(test: TestCase): string {
  const result = test.result();
  return result.state === 'skipped' && result.note ? ` (${result.note})` : '';
}
