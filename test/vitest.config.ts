import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    // `npm test` runs the tests that have no tag, `npm run test:rest` those with one.
    tags: [
      { name: 'slow', description: 'takes seconds by its nature: kill rounds, random plans, memory, builds' },
      { name: 'tools', description: 'needs more than `npm ci` installs: the speech model, or a program' },
    ],
    globalSetup: ['./test/helpers/runDirectory.ts', './test/helpers/builtPages.ts'],
    // Generous: a busy machine must not fail a test that is right.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than the cores that are expected: tests often wait for processes and disks.
    maxWorkers: 3,
    // Of these, the condition `source` gives TypeScript, which Node does not load from there.
    server: { deps: { inline: [/@ai-sdk/, 'eventsource-parser'] } },
    reporters: './test/helpers/runReporter.ts',
  },
});
