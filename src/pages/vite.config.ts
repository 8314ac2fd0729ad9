import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { CAPTURE_WORKLET } from '../browser/captureWorklet.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The module with the address of the audio worklet, which becomes a file: the policy of the page allows no other scripts. */
const captureWorklet: Plugin = {
  name: 'capture-worklet',
  resolveId: id => (id === 'virtual:capture-worklet' ? `\0${id}` : undefined),
  load(id) {
    if (id !== '\0virtual:capture-worklet') return undefined;
    const file = this.emitFile({ type: 'asset', name: 'captureWorklet.js', source: CAPTURE_WORKLET });
    return `export default import.meta.ROLLUP_FILE_URL_${file};`;
  },
};

/** One file for the modules that several pages use, not one for each set of pages. */
const MODULES = /node_modules\/preact\/|src\/(pages\/[^/]+\.ts|base\/|transcript\/formats\/timestamp)/;
const SHARED = { name: 'shared', minShareCount: 2, test: MODULES };

/** Builds every document of this folder to `dist/pages`. */
export default defineConfig({
  root: at('.'),
  // Relative, so that a proxy may serve the pages below a path of its own.
  base: './',
  publicDir: false,
  plugins: [captureWorklet],
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
      output: { codeSplitting: { groups: [SHARED] } },
    },
  },
});
