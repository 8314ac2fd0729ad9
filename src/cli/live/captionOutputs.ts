import { of } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { earlierSteps } from '../../captions/files/earlierSteps.ts';
import { checkHookOptions } from '../../captions/hook/textHook.ts';
import { OutputFeed } from '../../captions/hub/outputFeed.ts';
import type { CaptionOutput, OutputOptions } from '../../captions/outputs/captionOutput.ts';
import { fileOutput } from '../../captions/outputs/files.ts';
import { OUTPUT_KINDS } from '../../captions/outputs/outputKinds.ts';
import type { CaptionPage } from '../../captions/outputs/page/captionPage.ts';
import { CAPTION_PROFILES } from '../../transcript/cues/captionProfile.ts';
import {
  checkOutputFlags,
  type OfOutput,
  type OutputFlags,
  type ProcessFlags,
} from '../flags/captionOptions.ts';

/** Flags of the outputs of one text. */
export interface TrackFlags extends Omit<OutputFlags, 'hook'> {
  readonly language: string;
  readonly out: readonly string[];
  readonly continue?: boolean;
}

/** The text of a hook, with its outputs. */
export interface HookFlags extends TrackFlags {
  readonly name: string;
  readonly hook: string;
}

/** Returns the name of a hook's text on the page, by the name of its source. */
export function pageNameOf(source: string, { name }: Pick<HookFlags, 'name'>): string {
  return source === '' ? name : `${source}-${name}`;
}

/** Returns the name of a hook's text for viewers, who also see its language. */
export function titleOf(source: string, { name, language }: Pick<HookFlags, 'name' | 'language'>): string {
  return [source, name === language ? '' : name].filter(Boolean).join(' · ');
}

export interface OutputParts extends OutputOptions {
  readonly page?: CaptionPage;
  /** Name of the text on the page; empty for the page's root. */
  readonly pageName: string;
  /** Name of the text for viewers. */
  readonly title: string;
  /** Output of the terminal, for the recognised text. */
  readonly terminal?: CaptionOutput;
  readonly clock: Clock;
  /** Shows the text of continued files on the page. */
  readonly showsEarlier: boolean;
  /** Shows a line for the person who sets the outputs up. */
  readonly onSetup: (line: string) => void;
}

/** Opens the outputs that flags name, each with its own delay and display. */
export async function openTrack(flags: TrackFlags, parts: OutputParts) {
  const { page, pageName, title, showsEarlier, terminal, clock, onNote, onSetup } = parts;
  const { language, profile, out, continue: isContinued } = flags;
  const files = fileOutput(out, { onNote, isContinued, profile, language, clock });
  // Called before the first await, so that the page lists its texts in the order of the configuration.
  const onPage = page?.track(pageName, { title, language });
  if (showsEarlier) for (const step of earlierSteps(files.earlier)) onPage?.take(step);
  const kinds = namedOutputs(flags).map(({ output }) => output);
  for (const line of kinds.flatMap(({ setupLines = [] }) => setupLines)) onSetup(line);
  const named = await Promise.all(kinds.map(output => output.open({ onNote, clock })));
  const outputs: readonly CaptionOutput[] = [
    ...(terminal ? [terminal] : []),
    ...(onPage ? [onPage] : []),
    ...named,
    ...(out.length === 0 ? [] : [files]),
  ];
  const feeds = outputs.map(output => {
    const delayMs = (settingOf(flags.delay, output.name) ?? 0) * 1000;
    return new OutputFeed({ output, delayMs, display: settingOf(flags.display, output.name), clock });
  });
  return {
    language,
    profile: CAPTION_PROFILES[profile ?? 'netflix'],
    files,
    feeds,
    /** Emits at once, and false while an output reports that there is nothing to caption. */
    onAir$: named.find(({ onAir$ }) => onAir$)?.onAir$ ?? of(true),
  };
}

function settingOf<Value>(settings: readonly OfOutput<Value>[], name: string): Value | undefined {
  return settings.findLast(({ output }) => output === name)?.value;
}

/** Returns the outputs that flags name, each with its kind. */
export function namedOutputs(flags: TrackFlags) {
  return OUTPUT_KINDS.flatMap(kind => {
    const output = kind.named(flags);
    return output ? [{ kind, output }] : [];
  });
}

/** @throws InvalidArgumentError for an address that cannot be used, or a hook that does not exist */
export function checkOutputOptions(flags: TrackFlags & { readonly hook?: string }): void {
  for (const { output } of namedOutputs(flags)) output.checkOptions();
  if (flags.hook !== undefined) checkHookOptions({ target: flags.hook });
}

/** @throws InvalidArgumentError for a flag of outputs without the one that it requires, or a delay that is too long */
export function checkTrackFlags(flags: TrackFlags): void {
  checkOutputFlags(flags);
  for (const { name, delayLimit } of OUTPUT_KINDS) {
    const late = settingOf(flags.delay, name) ?? 0;
    if (!delayLimit || late < delayLimit.seconds) continue;
    throw new InvalidArgumentError(
      `--delay ${name}=${late} is too much: ${delayLimit.reason} Choose less than ${delayLimit.seconds} s.`,
    );
  }
}

/**
 * Checks that each delay and display is that of an output.
 *
 * @param texts flags of all texts of the process
 * @throws InvalidArgumentError for one without its output
 */
export function checkSettings(texts: readonly TrackFlags[], { page, json }: SettingParts): void {
  const open = texts.flatMap(namedOutputs).map(({ kind }) => kind.name);
  if (!json) open.push('terminal');
  if (page) open.push('page');
  for (const { delay, display } of texts) {
    const named = (flag: string, settings: readonly OfOutput<unknown>[]) => {
      const idle = settings.find(({ output }) => !open.includes(output));
      if (!idle) return;
      const needs = idle.output === 'terminal' ? 'cannot be used with --json' : `requires --${idle.output}`;
      throw new InvalidArgumentError(`${flag} ${idle.output}=${idle.value} ${needs}.`);
    };
    named('--delay', delay);
    named('--display', display);
  }
}

type SettingParts = Pick<ProcessFlags, 'page'> & { readonly json?: boolean };
