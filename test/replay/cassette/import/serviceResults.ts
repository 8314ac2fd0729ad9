/** Results of other services in their documented forms, each with the words "Good morning. My name is Ann." */
const deepgramWord = (punctuated_word: string, start: number, end: number, speaker = 0) => ({
  ...{ word: punctuated_word.toLowerCase().replace('.', ''), start, end, confidence: 0.99 },
  ...{ punctuated_word, speaker },
});

const GOOD_MORNING = [deepgramWord('Good', 0.5, 0.8), deepgramWord('morning.', 0.8, 1.4)];
const MY_NAME = [
  ...[deepgramWord('My', 1.6, 1.8, 1), deepgramWord('name', 1.8, 2, 1)],
  ...[deepgramWord('is', 2, 2.2, 1), deepgramWord('Ann.', 2.2, 2.6, 1)],
];

const deepgramMessage = (is_final: boolean, words: readonly object[], channel = 0) => ({
  ...{
    type: 'Results',
    channel_index: [channel, 1],
    duration: 3,
    start: 0,
    is_final,
    speech_final: is_final,
  },
  channel: { alternatives: [{ transcript: '', confidence: 0.9, words }] },
  metadata: { request_id: 'a', model_info: { name: 'x', version: '1', arch: 'nova-3' }, model_uuid: 'b' },
});

export const DEEPGRAM_LOG = [
  { type: 'SpeechStarted', channel: [0, 1], timestamp: 0.5 },
  deepgramMessage(false, GOOD_MORNING.slice(0, 1)),
  deepgramMessage(true, GOOD_MORNING),
  deepgramMessage(false, []),
  deepgramMessage(true, MY_NAME),
  { type: 'Metadata', request_id: 'a', duration: 3, channels: 1 },
];

export const DEEPGRAM_TWO_CHANNELS = [
  deepgramMessage(true, MY_NAME, 1),
  deepgramMessage(true, GOOD_MORNING, 0),
];

export const DEEPGRAM_RECORDING = {
  metadata: { request_id: 'a', duration: 3, channels: 1 },
  results: {
    channels: [{ alternatives: [{ transcript: '', confidence: 0.9, words: [...GOOD_MORNING, ...MY_NAME] }] }],
  },
};

const assemblyWord = (text: string, start: number, end: number, speaker: string | null = null) => ({
  ...{ text, start, end, confidence: 0.9, speaker },
});
const FIRST = [assemblyWord('Good', 500, 800, 'A'), assemblyWord('morning.', 800, 1400, 'A')];
const SECOND = [
  ...[assemblyWord('My', 1600, 1800, 'B'), assemblyWord('name', 1800, 2000, 'B')],
  ...[assemblyWord('is', 2000, 2200, 'B'), assemblyWord('Ann.', 2200, 2600, 'B')],
];
const plain = (words: typeof FIRST) =>
  words.map(word => ({ ...word, text: word.text.toLowerCase().replace('.', ''), speaker: undefined }));

export const ASSEMBLY_TRANSCRIPT = {
  ...{ id: 'a', status: 'completed', text: 'Good morning. My name is Ann.', confidence: 0.9 },
  ...{ words: [...FIRST, ...SECOND], utterances: [], audio_duration: 3 },
};

const turn = (
  turn_order: number,
  end_of_turn: boolean,
  turn_is_formatted: boolean,
  words: readonly object[],
) => ({
  ...{
    type: 'Turn',
    turn_order,
    turn_is_formatted,
    end_of_turn,
    transcript: '',
    end_of_turn_confidence: 0.5,
  },
  words,
});

/** Each turn ends twice, the second time with capitals and punctuation. */
export const ASSEMBLY_TURNS = [
  { type: 'Begin', id: 'a', expires_at: 1_759_796_682 },
  turn(0, false, false, plain(FIRST).slice(0, 1)),
  turn(0, true, false, plain(FIRST)),
  turn(0, true, true, FIRST),
  turn(1, true, false, plain(SECOND)),
  turn(1, true, true, SECOND),
  { type: 'Termination', audio_duration_seconds: 3, session_duration_seconds: 3 },
];

const message = (message_type: string, words: readonly object[]) => ({
  ...{
    message_type,
    created: '2026-01-01T00:00:00Z',
    audio_start: 0,
    audio_end: 1,
    confidence: 0.9,
    text: '',
  },
  words,
});

export const ASSEMBLY_MESSAGES = [
  { message_type: 'SessionBegins', session_id: 'a', expires_at: '2026-01-01T00:00:00Z' },
  message('PartialTranscript', plain(FIRST).slice(0, 1)),
  message('FinalTranscript', FIRST),
  message('FinalTranscript', SECOND),
  { message_type: 'SessionTerminated' },
];

const batchPhrase = (display: string, offset: number, end: number, speaker: number) => ({
  ...{ recognitionStatus: 'Success', channel: 0, speaker, offset: 'PT0.5S', duration: 'PT0.9S' },
  ...{ offsetInTicks: offset * 1e7, durationInTicks: (end - offset) * 1e7 },
  nBest: [
    { confidence: 0.9, lexical: '', itn: '', maskedITN: '', display },
    { confidence: 0.5, lexical: '', itn: '', maskedITN: '', display: 'Something else.' },
  ],
});

export const AZURE_BATCH = {
  ...{
    source: 'https://example.org/a.wav',
    timestamp: '2026-01-01T00:00:00Z',
    durationInTicks: 3e7,
    duration: 'PT3S',
  },
  combinedRecognizedPhrases: [{ channel: 0, lexical: '', itn: '', maskedITN: '', display: '' }],
  recognizedPhrases: [
    batchPhrase('Good morning.', 0.5, 1.4, 0),
    batchPhrase('My name is Ann.', 1.6, 2.6, 1),
    { recognitionStatus: 'Failure', channel: 0, offsetInTicks: 2.6e7, durationInTicks: 1e6 },
  ],
};

const phrase = (Display: string, offset: number, end: number) => ({
  ...{
    Id: 'a',
    RecognitionStatus: 'Success',
    Offset: offset * 1e7,
    Duration: (end - offset) * 1e7,
    Channel: 0,
  },
  DisplayText: Display,
  NBest: [
    { Confidence: 0.9, Lexical: '', ITN: '', MaskedITN: '', Display, Words: [] },
    { Confidence: 0.5, Lexical: '', ITN: '', MaskedITN: '', Display: 'Something else.' },
  ],
});

export const AZURE_LOG = [
  { Id: 'a', Text: 'good', Offset: 5_000_000, Duration: 3_000_000, Channel: 0 },
  phrase('Good morning.', 0.5, 1.4),
  { RecognitionStatus: 'Success', DisplayText: 'My name is Ann.', Offset: 16_000_000, Duration: 10_000_000 },
  { Id: 'b', RecognitionStatus: 'EndOfDictation', Offset: 26_000_000, Duration: 0 },
];
