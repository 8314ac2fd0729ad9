import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ErrorCounts } from '../../../src/replay/align/alignment.ts';
import type { Utterance } from './generatedWords.ts';

/** Results of NIST's sclite. */
export interface ScliteReport {
  readonly utterances: readonly { readonly counts: ErrorCounts; readonly shape: string }[];
  /** Number of words of the reference, and the printed percentage of errors. */
  readonly words: number;
  readonly errorPercent: string;
}

/** Runs `sctk sclite` on utterances. */
export function sclite(utterances: readonly Utterance[]): ScliteReport {
  const directory = mkdtempSync(join(tmpdir(), 'rxscribe-sclite-'));
  try {
    const files = (['reference', 'hypothesis'] as const).map(side => {
      const lines = utterances.map((utterance, index) => `${utterance[side].join(' ')} (s_${index})\n`);
      const path = join(directory, `${side}.trn`);
      writeFileSync(path, lines.join(''));
      return path;
    });
    const args = [
      'sclite',
      '-r',
      files[0]!,
      'trn',
      '-h',
      files[1]!,
      'trn',
      '-i',
      'spu_id',
      '-e',
      'utf-8',
      '-s',
    ];
    return parsed(
      execFileSync('sctk', [...args, '-o', 'sum', 'pralign', 'stdout'], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      }),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function parsed(report: string): ScliteReport {
  const blocks = report.split(/^id: \(/m).slice(1);
  const utterances = blocks.map(block => {
    const index = Number(/^s_(\d+)\)/.exec(block)![1]);
    const scores = /Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)/.exec(block)!.slice(1).map(Number);
    const [hits, substitutions, deletions, insertions] = scores as [number, number, number, number];
    const tokens = hits + substitutions + deletions;
    const counts = { tokens, hits, substitutions, deletions, insertions };
    return { index, counts, shape: shapeOf(wordsOn(block, 'REF'), wordsOn(block, 'HYP')) };
  });
  const [, words, rates] = /Sum\/Avg\|\s*\d+\s+(\d+)\s*\|(.*)\|/.exec(report)!;
  return {
    utterances: utterances.toSorted((one, other) => one.index - other.index),
    words: Number(words),
    errorPercent: rates!.trim().split(/\s+/)[4]!,
  };
}

/** Returns the words of one side of an alignment; asterisks for a missing one. */
function wordsOn(block: string, side: 'REF' | 'HYP'): readonly string[] {
  const lines = [...block.matchAll(new RegExp(`^>*\\s*${side}:(.*)$`, 'gm'))];
  return lines.flatMap(([, words]) => words!.split(/\s+/).filter(word => word !== ''));
}

/** Formats alignments; sclite writes differing words in capitals. */
function shapeOf(reference: readonly string[], hypothesis: readonly string[]): string {
  const isNone = (word: string) => /^\*+$/.test(word);
  return reference
    .map((word, index) => {
      const heard = hypothesis[index]!;
      if (isNone(word)) return 'i';
      if (isNone(heard)) return 'd';
      return word === heard ? 'h' : 's';
    })
    .join('');
}
