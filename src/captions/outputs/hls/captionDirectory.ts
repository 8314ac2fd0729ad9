import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseIf } from '../../../base/errors.ts';
import { jsonOf } from '../../../transcript/formats/jsonOf.ts';
import { replaceFile } from '../../files/replaceFile.ts';
import { captionPlaylist, type HlsWindow, segmentName, writtenWindow } from './hlsWindow.ts';
import { type MediaPlaylist, type MediaSegment, parseMediaPlaylist } from './mediaPlaylist.ts';
import type { DatedCue } from './segmentCues.ts';

/** The playlist and the segments of captions in a directory. Files are replaced atomically. */
export interface CaptionDirectory {
  /**
   * Creates the directory, or resolves with the captions that an earlier run wrote there.
   *
   * @throws RxscribeError `invalid-argument` when another program wrote the playlist
   */
  open(): Promise<HlsWindow | undefined>;
  /** Resolves with the captions that an earlier run saved. */
  savedCues(): Promise<readonly DatedCue[]>;
  /** Saves the captions that wait for their segment, so that a restart loses none. */
  saveCues(waiting: readonly DatedCue[]): Promise<void>;
  write(segment: MediaSegment, text: string): Promise<void>;
  /** Writes the playlist when it has changed, and deletes segments that have not been listed for some time. */
  list(window: HlsWindow, isEnded: boolean): Promise<void>;
}

export function captionDirectory(directory: string, name: string): CaptionDirectory {
  const playlistPath = join(directory, `${name}.m3u8`);
  const waitingPath = join(directory, `.${name}-waiting.json`);
  let savedText = '[]';
  let listedText = '';
  let listed: readonly string[] = [];
  /** Names of segments that are no longer listed, oldest first. */
  let unlisted: string[] = [];

  return {
    async open() {
      await mkdir(directory, { recursive: true });
      const text = await readExisting(playlistPath);
      const playlist = text === undefined ? undefined : ownPlaylist(text, name);
      const problem = `'${playlistPath}' is not a playlist of live captions. Choose another directory`;
      refuseIf(text !== undefined && !playlist, problem);
      listed = playlist?.segments.map(({ uri }) => uri) ?? [];
      unlisted = (await readdir(directory)).filter(file => isSegmentOf(file, name) && !listed.includes(file));
      return playlist && writtenWindow(playlist);
    },

    async savedCues() {
      const text = await readExisting(waitingPath);
      if (text === undefined) return [];
      savedText = text;
      return cuesOf(text);
    },

    async saveCues(waiting) {
      const text = JSON.stringify(waiting);
      if (text === savedText) return;
      await replaceFile(waitingPath, text);
      savedText = text;
    },

    write: (segment, text) => replaceFile(join(directory, segmentName(name, segment)), text),

    async list(window, isEnded) {
      const text = captionPlaylist(window, { name, isEnded });
      if (text === listedText) return;
      await replaceFile(playlistPath, text);
      listedText = text;
      const names = window.segments.slice(0, window.written).map(segment => segmentName(name, segment));
      unlisted.push(...listed.filter(file => !names.includes(file)));
      listed = names;
      // Players may still load segments that were listed a moment ago.
      for (const file of unlisted.splice(0, unlisted.length - names.length)) {
        await rm(join(directory, file), { force: true });
      }
    },
  };
}

async function readExisting(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** Returns the playlist that an earlier run wrote; undefined for any other text. */
function ownPlaylist(text: string, name: string): MediaPlaylist | undefined {
  try {
    const playlist = parseMediaPlaylist(text);
    const isOwn = playlist.segments.every(segment => segment.uri === segmentName(name, segment));
    return isOwn ? playlist : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the captions of a saved file; none when it is damaged. */
function cuesOf(text: string): readonly DatedCue[] {
  const saved = jsonOf(text);
  return Array.isArray(saved) && saved.every(isDatedCue) ? saved : [];
}

function isDatedCue(value: Partial<DatedCue> | null): value is DatedCue {
  if (typeof value !== 'object' || value === null) return false;
  const { startMs, endMs, lines, speaker = '', ts = 0 } = value;
  const areNumbers = [startMs, endMs, ts].every(Number.isFinite);
  const areTexts = Array.isArray(lines) && [...lines, speaker].every(text => typeof text === 'string');
  return areNumbers && areTexts;
}

function isSegmentOf(file: string, name: string): boolean {
  return file.startsWith(`${name}-`) && /^\d+-\d+\.vtt$/.test(file.slice(name.length + 1));
}
