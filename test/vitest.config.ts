import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './helpers/longFilesFirst.ts';
import { testFiles } from './helpers/taggedFiles.ts';

// Threads that collect and compile compete with tests.
const threads = ['--single-threaded-gc', '--max-semi-space-size=64', '--liftoff-only'];

export default defineConfig(({ mode }) => ({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: [...testFiles(mode)],
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
    // `npm test` compiles much and runs it once; models, in the other tests, are run much.
    execArgv: mode === 'fast' ? threads : [],
    sequence: { sequencer: LongFilesFirst },
    // One more than the cores that are expected: tests often wait for processes and disks.
    maxWorkers: 3,
    // Of these, the condition `source` gives TypeScript, which Node does not load from there.
    server: { deps: { inline: [/@ai-sdk/, 'eventsource-parser'] } },
    reporters: './test/helpers/runReporter.ts',
  },
}));
