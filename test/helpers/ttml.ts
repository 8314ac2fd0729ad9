import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { validateXML } from 'xmllint-wasm';

/** A node of an intermediate synchronic document of `imsc`. */
interface IsdNode {
  readonly kind: string;
  readonly id?: string;
  readonly text?: string;
  readonly contents?: readonly IsdNode[];
  readonly styleAttrs: Readonly<Record<string, unknown>>;
}

interface Imsc {
  fromXML(document: string, errors: ErrorHandler): { getMediaTimeEvents(): readonly number[] };
  generateISD(document: unknown, seconds: number, errors: ErrorHandler): IsdNode;
}

interface ErrorHandler {
  info(message: string): boolean;
  warn(message: string): boolean;
  error(message: string): boolean;
  fatal(message: string): boolean;
}

const load = createRequire(import.meta.url);
// The entry of the package also draws, which takes a browser.
const imsc = { ...load('imsc/src/main/js/doc.js'), ...load('imsc/src/main/js/isd.js') } as Imsc;
const schema = readFileSync(new URL('../fixtures/ttml/ebu-tt-d.rng', import.meta.url), 'utf8');

/** Returns the faults of EBU-TT-D documents by the schema in `fixtures/ttml`. */
export async function ttmlFaults(documents: readonly string[]): Promise<readonly string[]> {
  const xml = documents.map((contents, index) => ({ fileName: `${index}.ttml`, contents }));
  const { errors } = await validateXML({ xml, schema, extension: 'relaxng' });
  return errors.map(({ rawMessage }) => rawMessage);
}

/** State of the picture from a time on. */
export interface Shown {
  readonly ts: number;
  readonly region?: string;
  readonly lines: readonly string[];
  readonly isRightToLeft?: boolean;
}

/** Returns what the renderer `imsc` shows over time, with all that it reports. */
export function renderTtml(document: string): {
  readonly shown: readonly Shown[];
  readonly reports: readonly string[];
} {
  const reports: string[] = [];
  const report = (message: string) => {
    reports.push(message);
    return false;
  };
  const errors = { info: report, warn: report, error: report, fatal: report };
  const parsed = imsc.fromXML(document, errors);
  const shown = parsed.getMediaTimeEvents().map((ts): Shown => {
    const [region] = imsc.generateISD(parsed, ts, errors).contents!;
    if (!region) return { ts, lines: [] };
    const paragraph = nodesOf(region).find(({ kind }) => kind === 'p');
    const direction = Object.entries(paragraph?.styleAttrs ?? {}).find(([name]) =>
      /direction$/.test(name),
    )?.[1];
    return {
      ts,
      region: region.id!,
      lines: textOf(region)
        .split('\n')
        .filter(line => line !== ''),
      isRightToLeft: direction === 'rtl',
    };
  });
  return { shown, reports };
}

const nodesOf = (node: IsdNode): readonly IsdNode[] => [node, ...(node.contents ?? []).flatMap(nodesOf)];

function textOf(node: IsdNode): string {
  if (node.kind === 'br') return '\n';
  return (node.text ?? '') + (node.contents ?? []).map(textOf).join('');
}
