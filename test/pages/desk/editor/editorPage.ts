import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import type { DeskTurn } from '../../../../src/protocol/desk.ts';
import { openTab, type Tab } from '../../../helpers/chromium.ts';

const at = (path: string) => fileURLToPath(new URL(`../../../../src/pages/${path}`, import.meta.url));

/** Opens an editor with the turns of the page's `turns`, as its `editor`; clicked times are in its `clicked`, and sentences in `refused`. */
const SCRIPT = `
  import { createTranscriptEditor } from './transcriptEditor.ts';
  window.openEditor = options => {
    window.clicked = [];
    window.refused = [];
    window.editor = createTranscriptEditor({
      parent: document.getElementById('root'),
      cspNonce: 'secret-nonce',
      onSelectWord: ts => clicked.push(ts),
      onRefused: sentence => refused.push(sentence),
      ...options,
    });
  };
`;

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Editor</title>
<link rel="stylesheet" href="/desk.css"><link rel="stylesheet" href="/test.css">
<body><div id="root"></div><script src="/editor.js"></script></body></html>`;

/** As strict as that of the server. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-secret-nonce'";

let script: Promise<string> | undefined;

async function bundled(): Promise<string> {
  const stdin = { contents: SCRIPT, resolveDir: at('desk/editor'), loader: 'ts' } as const;
  const { outputFiles } = await build({ stdin, bundle: true, format: 'iife', write: false });
  return outputFiles[0]!.text;
}

export interface EditorOptions {
  readonly language?: string;
  readonly speakerNames?: readonly string[];
  readonly phrases?: readonly string[];
  readonly isReadOnly?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A page with an editor only. */
export async function openEditor(
  browser: Browser,
  turns: readonly DeskTurn[],
  { viewport = { width: 1280, height: 800 }, language = 'en', ...options }: EditorOptions = {},
): Promise<Tab> {
  script ??= bundled();
  const text = await script;
  const tab = await openTab(browser, { viewport });
  const { context, page } = tab;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.route('https://desk.test/**', route => {
    const name = new URL(route.request().url()).pathname;
    if (name === '/editor.js') return route.fulfill({ body: text, contentType: 'text/javascript' });
    if (name === '/test.css')
      return route.fulfill({ body: '#root { height: 100vh }', contentType: 'text/css' });
    if (name.endsWith('.css')) {
      return route.fulfill({ body: readFileSync(at(name.slice(1)), 'utf8'), contentType: 'text/css' });
    }
    const headers = { 'content-security-policy': POLICY };
    return route.fulfill({ body: HTML, contentType: 'text/html', headers });
  });
  await page.goto('https://desk.test/');
  await page.evaluate(`openEditor(${JSON.stringify({ turns, language, ...options })})`);
  return tab;
}
