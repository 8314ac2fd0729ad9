import { type Observable, of } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { checkHookOptions } from '../../captions/hook/textHook.ts';
import { OutputFeed } from '../../captions/hub/outputFeed.ts';
import type { CaptionOutput, OutputOptions } from '../../captions/outputs/captionOutput.ts';
import { type FileOutput, fileOutput } from '../../captions/outputs/files.ts';
import { type HlsOptions, hlsMediaLine, requireHlsOptions } from '../../captions/outputs/hls/hlsOptions.ts';
import { hlsOutput } from '../../captions/outputs/hls/hlsOutput.ts';
import { checkObsOptions, type ObsOutputOptions } from '../../captions/outputs/obs/obsOptions.ts';
import { obsOutput } from '../../captions/outputs/obs/obsOutput.ts';
import type { CaptionPage } from '../../captions/outputs/page/captionPage.ts';
import { checkYouTubeOptions, youtubeOutput } from '../../captions/outputs/youtube.ts';
import { checkZoomOptions, zoomOutput } from '../../captions/outputs/zoom.ts';
import {
  checkOutputFlags,
  type LiveOutputName,
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

/** A text that a hook makes of the recognised one, with its outputs. */
export interface HookFlags extends TrackFlags {
  readonly name: string;
  readonly hook: string;
}

/** Returns the name of a hook's text on the page, by the name of its source. */
export function pageNameOf(source: string, { name }: Pick<HookFlags, 'name'>): string {
  return source === '' ? name : `${source}-${name}`;
}

export interface OutputParts extends OutputOptions {
  readonly page?: CaptionPage;
  /** Name of the text on the page; empty for the page's root. */
  readonly pageName: string;
  /** Output of the terminal, for the recognised text. */
  readonly terminal?: CaptionOutput;
  readonly clock: Clock;
}

/** The outputs of one text. */
export interface TrackOutputs {
  readonly files: FileOutput;
  readonly feeds: readonly OutputFeed[];
  /** Emits false while an output says that there is nothing to caption. Emits at once. */
  readonly onAir$: Observable<boolean>;
}

/** Opens the outputs that flags name, each with its own delay and display. */
export function trackOutputs(flags: TrackFlags, parts: OutputParts): TrackOutputs {
  const { page, pageName, terminal, clock, onNote } = parts;
  const { language, youtube, zoom, profile, out, continue: isContinued } = flags;
  const files = fileOutput(out, { onNote, isContinued, profile, language, clock });
  const [obs] = obsOptions(flags).map(options => obsOutput({ ...options, onNote, clock }));
  const outputs: readonly CaptionOutput[] = [
    ...(terminal ? [terminal] : []),
    ...(page ? [page.track(pageName, { title: pageName, language })] : []),
    ...(obs ? [obs] : []),
    ...hlsOptions(flags).map(options => {
      onNote?.(`Line for the multivariant playlist: ${hlsMediaLine(options)}`);
      return hlsOutput({ ...options, onNote, clock });
    }),
    ...(youtube === undefined ? [] : [youtubeOutput({ address: youtube, onNote, clock })]),
    ...(zoom === undefined ? [] : [zoomOutput({ address: zoom, language, onNote, clock })]),
    ...(out.length === 0 ? [] : [files]),
  ];
  const ofOutput = <Value>(settings: readonly OfOutput<Value>[], name: string) =>
    settings.findLast(({ output }) => output === name)?.value;
  const feeds = outputs.map(output => {
    const delayMs = (ofOutput(flags.delay, output.name) ?? 0) * 1000;
    return new OutputFeed({ output, delayMs, display: ofOutput(flags.display, output.name), clock });
  });
  return { files, feeds, onAir$: obs?.onAir$ ?? of(true) };
}

/** Returns the options of the output to OBS that flags name. */
export function obsOptions(flags: TrackFlags): readonly ObsOutputOptions[] {
  const { obs: url, obsPassword: password, obsSource: source, obsCaptions: captions } = flags;
  const { obsFollow: input, obsFollowScene: inScene = false } = flags;
  if (url === undefined) return [];
  const follow = input === undefined ? undefined : { input, inScene };
  return [{ url, password, source, captions, follow }];
}

/** Returns the options of the output for HLS that flags name. */
export function hlsOptions({ hls: directory, hlsClock: video, language }: TrackFlags): readonly HlsOptions[] {
  return directory === undefined || video === undefined ? [] : [{ directory, video, language }];
}

/** @throws InvalidArgumentError for an address that cannot be used, or a hook that does not exist */
export function checkOutputOptions(flags: TrackFlags & { readonly hook?: string }): void {
  const { youtube, zoom, language } = flags;
  for (const options of obsOptions(flags)) checkObsOptions(options);
  for (const options of hlsOptions(flags)) requireHlsOptions(options);
  if (flags.hook !== undefined) checkHookOptions({ target: flags.hook });
  if (youtube !== undefined) checkYouTubeOptions({ address: youtube });
  if (zoom !== undefined) checkZoomOptions({ address: zoom, language });
}

/**
 * Most seconds by which captions of YouTube can be later: it takes none of more than 60 s ago, and a finished caption comes up
 * to 15 s after its first word.
 */
const MAX_YOUTUBE_DELAY_SECONDS = 45;

/** @throws InvalidArgumentError for a flag of outputs without the one that it requires, or a delay that is too long */
export function checkTrackFlags(flags: TrackFlags): void {
  checkOutputFlags(flags);
  const late = flags.delay.findLast(({ output }) => output === 'youtube')?.value ?? 0;
  if (late >= MAX_YOUTUBE_DELAY_SECONDS) {
    throw new InvalidArgumentError(
      `--delay youtube=${late} is too much: YouTube takes no captions of more than 60 s ago. Choose less than ${MAX_YOUTUBE_DELAY_SECONDS} s.`,
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
  const isOpen: Readonly<Record<LiveOutputName, boolean>> = {
    terminal: !json,
    page: page !== undefined,
    obs: texts.some(({ obs }) => obs !== undefined),
    youtube: texts.some(({ youtube }) => youtube !== undefined),
    zoom: texts.some(({ zoom }) => zoom !== undefined),
    hls: texts.some(({ hls }) => hls !== undefined),
  };
  for (const { delay, display } of texts) {
    const named = (flag: string, settings: readonly OfOutput<unknown>[]) => {
      const idle = settings.find(({ output }) => !isOpen[output]);
      if (!idle) return;
      const needs = idle.output === 'terminal' ? 'cannot be used with --json' : `requires --${idle.output}`;
      throw new InvalidArgumentError(`${flag} ${idle.output}=${idle.value} ${needs}.`);
    };
    named('--delay', delay);
    named('--display', display);
  }
}

type SettingParts = Pick<ProcessFlags, 'page'> & { readonly json?: boolean };
