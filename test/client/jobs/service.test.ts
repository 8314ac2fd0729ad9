import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/jobs/createClient.ts';
import { createNotificationReceiver } from '../../../src/client/jobs/notificationReceiver.ts';
import {
  InvalidJobStateError,
  InvalidParametersError,
  JobFailedError,
  NotFoundError,
} from '../../../src/client/jobs/requestErrors.ts';
import { UnauthorizedError } from '../../../src/client/serviceErrors.ts';
import { readSrt } from '../../../src/transcript/formats/srt.ts';
import { textOf } from '../../../src/transcript/model/model.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { keptService, speechFile } from '../../helpers/keptService.ts';
import { createScriptedAligner } from '../../helpers/scriptedAligner.ts';
import { createScriptedLanguageIdentifier } from '../../helpers/scriptedLanguageIdentifier.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { createScriptedSentimentAnalyzer } from '../../helpers/scriptedSentimentAnalyzer.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';

const recognizer = createScriptedRecognizer();
const service = keptService({
  recognizer,
  aligner: createScriptedAligner(),
  languageIdentifier: createScriptedLanguageIdentifier(),
  sentimentAnalyzer: createScriptedSentimentAnalyzer(),
  allowPrivateAddresses: true,
});
const clientOf = () => createClient({ url: service().url, token: TEST_TOKEN });
const speech = (levels?: readonly number[]) => ({ data: speechFile(levels), name: 'speech.wav' });

describe('the client, at a service', () => {
  test('submits a file, and reads its transcript in every form', async () => {
    const { transcription, account } = clientOf();
    const path = join(await temporaryDirectory(), 'speech.wav');
    await writeFile(path, speechFile());
    const before = await account();
    const { id, status } = await transcription.submit({ path }, { metadata: 'm', speakersCount: 2 });
    expect(status).toBe('in_progress');
    const job = await transcription.waitFor(id);
    expect(job).toMatchObject({
      id,
      status: 'transcribed',
      name: 'speech.wav',
      metadata: 'm',
      speakersCount: 2,
    });
    expect(await transcription.get(id)).toEqual(job);

    const transcript = await transcription.transcript(id);
    expect(transcript.monologues.map(({ elements }) => textOf(elements))).toEqual(['W4 w7. W9.']);
    expect(transcript.monologues[0]!.elements[0]).toMatchObject({ type: 'text', ts: 0, endTs: 0.1 });
    expect(await transcription.transcriptText(id)).toMatch(/^Speaker 0 {4}00:00:00 {4}W4 w7\. W9\.\n$/);
    expect(readSrt(await transcription.captions(id)).map(({ lines }) => lines.join(' '))).toEqual([
      'W4 w7. W9.',
    ]);
    expect(await transcription.captions(id, { format: 'vtt' })).toMatch(/^WEBVTT\n/);
    expect((await account()).balanceSeconds).toBeLessThan(before.balanceSeconds);

    await transcription.delete(id);
    await expect(transcription.get(id)).rejects.toThrow(NotFoundError);
    await expect(transcription.delete(id)).rejects.toThrow(NotFoundError);
  });

  test('submits media by an address with authorization', async () => {
    const { transcription } = clientOf();
    const media = await startHttpService(({ headers }) =>
      headers.authorization === 'Basic abc'
        ? { headers: { 'content-type': 'audio/wav' }, bytes: speechFile() }
        : { status: 403 },
    );
    const { id } = await transcription.submit({ url: `${media.url}/a.wav`, authorization: 'Basic abc' });
    expect(await transcription.waitFor(id)).toMatchObject({
      name: 'a.wav',
      sourceConfig: { url: `${media.url}/a.wav` },
    });
    const refused = await transcription.submit({ url: `${media.url}/a.wav` });
    const error = await transcription.waitFor(refused).catch(thrown => thrown);
    expect(error).toBeInstanceOf(JobFailedError);
    expect(error).toMatchObject({ failure: 'download_failure', code: 'audio-missing' });
  });

  test('waits for jobs by their notifications', async () => {
    await using receiver = await createNotificationReceiver();
    const { transcription, vocabularies } = clientOf();
    const notified = await transcription.submit(speech(), { notification: receiver });
    expect(await transcription.waitFor(notified, { receiver })).toMatchObject({ status: 'transcribed' });
    expect(await receiver.ended(notified.id)).toMatchObject({ id: notified.id, status: 'transcribed' });
    const vocabulary = await vocabularies.submit(['Rx Scribe'], { notification: receiver });
    expect(await vocabularies.waitFor(vocabulary, { receiver })).toMatchObject({ status: 'complete' });
  });

  test('submits media to identify its language', async () => {
    const { languageId } = clientOf();
    const { id } = await languageId.submit(speech([2, 2, 2, 1]));
    expect(await languageId.waitFor(id)).toMatchObject({ type: 'language_id', status: 'completed' });
    expect(await languageId.result(id)).toEqual({
      topLanguage: 'de',
      languageConfidences: [
        { language: 'de', confidence: 0.75 },
        { language: 'en', confidence: 0.25 },
      ],
    });
    await languageId.delete(id);
  });

  test('submits media and text for alignment', async () => {
    const { alignment } = clientOf();
    const { id } = await alignment.submit(speech(), { text: 'w4 w7 w9' });
    await alignment.waitFor(id);
    const { monologues } = await alignment.transcript(id);
    const words = monologues.flatMap(({ elements }) => elements).filter(({ type }) => type === 'text');
    expect(words).toMatchObject([
      { value: 'w4', ts: 0, endTs: 0.1 },
      { value: 'w7', ts: 0.1, endTs: 0.2 },
      { value: 'w9', ts: 0.5, endTs: 0.6 },
    ]);
    await alignment.delete(id);
  });

  test('submits texts and transcripts for sentiment analysis', async () => {
    const { sentiment, transcription } = clientOf();
    const ofText = await sentiment.submit('All is good. This is bad.');
    await sentiment.waitFor(ofText);
    const { messages } = await sentiment.result(ofText.id);
    expect(messages).toMatchObject([
      { sentiment: 'positive', score: 0.4, offset: 0 },
      { sentiment: 'negative', score: -0.4 },
    ]);
    const negative = await sentiment.result(ofText.id, { filterFor: 'negative' });
    expect(negative.messages).toEqual(messages.slice(1));

    const job = await transcription.submit(speech());
    await transcription.waitFor(job);
    const ofTranscript = await sentiment.submit(await transcription.transcript(job.id));
    await sentiment.waitFor(ofTranscript);
    expect((await sentiment.result(ofTranscript.id)).messages[0]).toMatchObject({ ts: 0, endTs: 0.2 });
  });

  test('submits a vocabulary, and uses it for a job', async () => {
    const { vocabularies, transcription } = clientOf();
    const submitted = await vocabularies.submit([{ phrases: ['Rx Scribe'] }, 'W seven'], {
      metadata: 'names',
    });
    const vocabulary = await vocabularies.waitFor(submitted);
    expect(vocabulary).toMatchObject({ status: 'complete', metadata: 'names' });
    expect((await vocabularies.list()).map(({ id }) => id)).toContain(vocabulary.id);
    const job = await transcription.submit(speech(), { customVocabularyId: vocabulary.id });
    await transcription.waitFor(job);
    expect(recognizer.opened.at(-1)).toMatchObject({ phrases: ['Rx Scribe', 'W seven'] });
    await vocabularies.delete(vocabulary.id);
    await expect(vocabularies.get(vocabulary.id)).rejects.toThrow(NotFoundError);
  });

  test('uses the legacy interface', async () => {
    const { legacy } = clientOf();
    const { id } = await legacy.submit(speech(), { metadata: 'old' });
    expect(await legacy.waitFor(id)).toMatchObject({ status: 'transcribed', metadata: 'old' });
    expect(await legacy.transcriptText(id)).toMatch(/^Speaker 0\s+00:00\s+W4 w7\. W9\.\n$/);
    expect((await legacy.transcript(id)).monologues).toHaveLength(1);
    expect((await legacy.list()).map(job => job.id)).toContain(id);
    expect(await legacy.account()).toEqual(await clientOf().account());
  });

  test('throws typed errors for the problems of the service', { tags: 'tools' }, async () => {
    const { transcription } = clientOf();
    const wrong = await transcription
      .submit({ url: 'https://example.org/a' }, { speakerChannelsCount: 9, metadata: 'x'.repeat(513) })
      .catch(thrown => thrown);
    expect(wrong).toBeInstanceOf(InvalidParametersError);
    expect(Object.keys(wrong.faults).sort()).toEqual(['metadata', 'speaker_channels_count']);
    const stranger = createClient({ url: service().url, token: 'another-token' });
    await expect(stranger.account()).rejects.toThrow(UnauthorizedError);
    await expect(stranger.transcription.submit(speech())).rejects.toThrow(UnauthorizedError);

    const broken = await transcription.submit({ data: Buffer.from('no audio at all'), name: 'a.wav' });
    await expect(transcription.waitFor(broken)).rejects.toMatchObject({ code: 'audio-unsupported' });
    const error = await transcription.transcript(broken.id).catch(thrown => thrown);
    expect(error).toBeInstanceOf(InvalidJobStateError);
    expect(error).toMatchObject({ currentValue: 'failed', allowedValues: ['transcribed'] });
  });
});
