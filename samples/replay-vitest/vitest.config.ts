import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // No module imports a cassette, so that watch mode does not know which tests depend on it: all run again.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/*.cassette.*'],
  },
});
