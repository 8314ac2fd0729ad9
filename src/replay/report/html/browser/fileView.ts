import type { PageFile } from '../pageData.ts';
import type { Peaks } from '../peaks.ts';
import { makeDifferences } from './differences.ts';
import type { PageAudio, PageDocument, PageElement } from './dom.ts';
import { dataOf, make } from './elements.ts';
import { createPosition } from './position.ts';
import { makeTimeLine } from './timeLine.ts';
import { makeWaveform } from './waveform.ts';

declare const document: PageDocument;

/** Fills the place that a run has in the page: when it is opened, so that a page of many is quick. */
export function fillFile(place: PageElement): void {
  const file = dataOf<PageFile>(`file-${place.dataset.file}-data`);
  if (!file || place.children.length > 0) return;
  const audio = file.audio === null ? null : makeAudio(file.audio);
  const position = createPosition(audio, file.seconds);
  const peaks = file.audio === null ? undefined : dataOf<Peaks>(`peaks-${file.audio}`);
  const listen = make('div', 'listen');
  if (audio) listen.append(audio);
  place.append(listen);
  if (peaks || file.words.length > 0) place.append(makeWaveform(file, peaks, position));
  if (file.words.length === 0) return;
  const [strip, tools] = makeTimeLine(file, position);
  const [filter, text] = makeDifferences(file, position);
  tools.append(filter);
  place.append(strip, tools, text);
}

/** A player of the sound that the page holds; of none null. As a blob it can be sought in every browser. */
function makeAudio(index: number): PageAudio | null {
  const data = document.getElementById(`audio-${index}`);
  if (!data) return null;
  const bytes = Uint8Array.from(atob(data.textContent), character => character.charCodeAt(0));
  const audio = make('audio', '') as PageAudio;
  audio.controls = true;
  audio.preload = 'auto';
  audio.src = URL.createObjectURL(new Blob([bytes], { type: data.dataset.type ?? '' }));
  return audio;
}
