import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // No module imports a cassette, so that watch mode has to be told that the tests depend on them.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/*.cassette.*'],
  },
});
