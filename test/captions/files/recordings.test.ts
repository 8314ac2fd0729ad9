import { describe, expect, test } from 'vitest';
import { profileFor, transcriptAs } from '../../../src/captions/files/transcriptText.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../src/replay/cassette/recordedRun.ts';
import { captionCues } from '../../../src/transcript/cues/captionCues.ts';
import { CAPTION_PROFILES, type CaptionProfileName } from '../../../src/transcript/cues/captionProfile.ts';
import { cueViolations } from '../../../src/transcript/cues/cueViolations.ts';
import { readSrt } from '../../../src/transcript/formats/srt.ts';
import { readVtt } from '../../../src/transcript/formats/vtt.ts';
import { decodeScc } from '../../helpers/sccCaptions.ts';
import { renderTtml, ttmlFaults } from '../../helpers/ttml.ts';

// Captions of a real recording, as files of each profile. After a change, read the difference line by line:
// npx vitest run --config test/vitest.config.ts test/captions/files/recordings.test.ts --update

const { transcript } = recordedRun(await readCassette('samples/sense-and-sensibility.cassette.jsonl'));
const names = Object.keys(CAPTION_PROFILES) as CaptionProfileName[];
const ENDINGS = ['.srt', '.vtt', '.ttml', '.scc', '.jsonl'] as const;
const golden = (name: string) => new URL(`../../fixtures/cues/${name}`, import.meta.url).pathname;

/** Captions that speech makes faster than their profile allows. */
const HURRIED: Readonly<Record<CaptionProfileName, number>> = {
  netflix: 0,
  bbc: 0,
  dcmp: 0,
  ted: 0,
  cea608: 0,
};

describe.each(names)('the captions of a recording by %s', name => {
  test.each(ENDINGS)('are the same %s as ever', async ending => {
    const text = transcriptAs(ending, transcript, { profile: name });
    await expect(text).toMatchFileSnapshot(golden(`sense-and-sensibility.${name}${ending}`));
  });

  test('keep its rules, but for the reading speed where the speech is faster', () => {
    for (const profile of [CAPTION_PROFILES[name], profileFor('.scc', name)]) {
      const cues = captionCues(transcript, { profile });
      const violations = cueViolations(cues, profile);
      expect(violations.filter(({ rule }) => rule !== 'speed')).toEqual([]);
      if (profile === CAPTION_PROFILES[name]) expect(violations).toHaveLength(HURRIED[name]);
    }
  });

  test('are read back by other readers', async () => {
    const textOf = (ending: (typeof ENDINGS)[number]) => transcriptAs(ending, transcript, { profile: name });
    const cues = captionCues(transcript, { profile: CAPTION_PROFILES[name] });
    const lines = cues.map(cue => cue.lines);
    expect(readSrt(textOf('.srt'))).toEqual(cues);
    expect(readVtt(textOf('.vtt'))).toEqual(cues);
    expect(await ttmlFaults([textOf('.ttml')])).toEqual([]);
    const { shown, reports } = renderTtml(textOf('.ttml'));
    expect(reports).toEqual([]);
    expect(shown.map(each => each.lines).filter(each => each.length > 0)).toEqual(lines);
    const sccCues = captionCues(transcript, { profile: profileFor('.scc', name) });
    const decoded = decodeScc(textOf('.scc'));
    expect(decoded.map(({ rows }) => rows)).toEqual(sccCues.map(cue => cue.lines));
    // Codes take time: a long caption after a short one, and the first one of all, are shown when they are loaded.
    const lateness = decoded.map(({ ts }, index) => ts - sccCues[index]!.ts);
    for (const seconds of lateness) expect(seconds).toBeGreaterThan(-0.04);
    for (const seconds of lateness.slice(1)) expect(seconds).toBeLessThan(0.5);
    expect(lateness.slice(1).filter(seconds => seconds > 0.04).length).toBeLessThanOrEqual(1);
  });
});
