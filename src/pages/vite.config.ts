import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds every document of this folder to `dist/pages`. */
export default defineConfig({
  root: at('.'),
  // Relative, so that a proxy may serve the pages below a path of its own.
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: at('../../dist/pages'),
    emptyOutDir: true,
    target: 'es2022',
    // The content-security policy allows no inline content; a data address is fetched as well.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: readdirSync(at('.'))
        .filter(name => name.endsWith('.html'))
        .map(at),
    },
  },
});
