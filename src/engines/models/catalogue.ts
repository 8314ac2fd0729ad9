import type { CatalogueModel, WebFile } from './catalogueModel.ts';

type FileRow = readonly [name: string, bytes: number, sha256: string, path?: string];

/**
 * Returns the files of a Hugging Face repository at a commit or branch. The checksums guard against changes.
 */
function huggingFace(repository: string, revision: string, rows: readonly FileRow[]): WebFile[] {
  const base = `https://huggingface.co/${repository}/resolve/${revision}`;
  return rows.map(([name, bytes, sha256, path = name]) => ({ name, url: `${base}/${path}`, bytes, sha256 }));
}

const SHERPA_RELEASES = 'https://github.com/k2-fsa/sherpa-onnx/releases/download';

/** Languages of the multilingual Whisper models. */
export const WHISPER_LANGUAGES =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jv su'.split(
    ' ',
  );
const PARAKEET_LANGUAGES = 'bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk'.split(
  ' ',
);

/** Checksum of the tokens of all multilingual Whisper models. */
const WHISPER_TOKENS_SHA256 = 'b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126';

/** The default recogniser: Moonshine tiny, downloaded once from the user's npm registry. */
export const EMBEDDED_MODEL: CatalogueModel = {
  name: 'moonshine-tiny-en',
  roles: ['recognizer'],
  languages: ['en'],
  licence: 'MIT',
  package: {
    name: '@moonshine-ai/moonshine-js',
    version: '0.1.29',
    integrity:
      'sha512-Gx1B3mJcbM68ihSy/LyJEuEkGq7sYMqTb04zNdcIeidU0URVlSmXP0GyiQOTTAqDZQXlIC7k+bky+FdXk0UPlg==',
    bytes: 21_514_347,
  },
  files: [
    {
      name: 'encoder_model.onnx',
      path: 'dist/model/tiny/quantized/encoder_model.onnx',
      bytes: 7_937_661,
      sha256: 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
    },
    {
      name: 'decoder_model_merged.onnx',
      path: 'dist/model/tiny/quantized/decoder_model_merged.onnx',
      bytes: 20_243_286,
      sha256: 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
    },
  ],
};

/** Models that the engines support, with the published checksums of their files. */
export const CATALOGUE: readonly CatalogueModel[] = [
  EMBEDDED_MODEL,
  {
    name: 'streaming-zipformer-en-20M-2023-02-17',
    roles: ['recognizer'],
    languages: ['en'],
    licence: 'Apache-2.0',
    files: huggingFace(
      'csukuangfj/sherpa-onnx-streaming-zipformer-en-20M-2023-02-17',
      'd42f2d9f7ca24806fb667456a18a9f1b60f70d16',
      [
        [
          'encoder-epoch-99-avg-1.int8.onnx',
          42_845_182,
          '3810755ce7c3ab26b42a8bcf39d191308fa27fb0f53358823ba46141d03b7eb3',
        ],
        [
          'decoder-epoch-99-avg-1.onnx',
          2_092_272,
          '45a7f940ecfb53d89fa270ad11b88b961e53a317203eb24b1c8e95ed208b0f30',
        ],
        [
          'joiner-epoch-99-avg-1.int8.onnx',
          259_572,
          'e085d73b593cf9b0707f370dbd656d58327d3fe36d80d849202ef81df02cb01e',
        ],
        ['tokens.txt', 5048, '49e3c2646595fd907228b3c6787069658f67b17377c60aeb8619c4551b2316fb'],
      ],
    ),
  },
  {
    name: 'streaming-zipformer-en-2023-06-26',
    roles: ['recognizer'],
    languages: ['en'],
    licence: 'Apache-2.0',
    files: huggingFace(
      'csukuangfj/sherpa-onnx-streaming-zipformer-en-2023-06-26',
      '672fbf1b30579d6585301139bb363f42a0ad4a24',
      [
        [
          'encoder-epoch-99-avg-1-chunk-16-left-128.int8.onnx',
          71_083_163,
          '563fde436d16cf7607cf408cd6b30909819d03162652ef389c2450ced3f45ac1',
        ],
        [
          'decoder-epoch-99-avg-1-chunk-16-left-128.onnx',
          2_092_621,
          '7bf787f90b194b307e5a4ad6a34fadb4e748304c35f78a8d66358a05b13ee6ef',
        ],
        [
          'joiner-epoch-99-avg-1-chunk-16-left-128.int8.onnx',
          259_335,
          'd944208d660d67c8d72cd2acaeac971fa5ceb8c80e76c1968148846fedd6e297',
        ],
        ['tokens.txt', 5048, '49e3c2646595fd907228b3c6787069658f67b17377c60aeb8619c4551b2316fb'],
      ],
    ),
  },
  {
    name: 'parakeet-tdt-0.6b-v3',
    roles: ['recognizer'],
    languages: PARAKEET_LANGUAGES,
    licence: 'CC-BY-4.0',
    files: huggingFace(
      'csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8',
      '2bda32ec70b097a55adaa07d9a7173915b43cc78',
      [
        [
          'encoder.int8.onnx',
          652_184_281,
          'acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247',
        ],
        ['decoder.int8.onnx', 11_845_275, '179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e'],
        ['joiner.int8.onnx', 6_355_277, '3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3'],
        ['tokens.txt', 93_939, 'd58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d'],
      ],
    ),
  },
  {
    name: 'sense-voice-2024-07-17',
    roles: ['recognizer'],
    languages: ['zh', 'yue', 'en', 'ja', 'ko'],
    licence: 'FunASR Model License 1.1',
    files: huggingFace(
      'csukuangfj/sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17',
      '2365baeacb507f821a0c8120fcee3d484dba7a07',
      [
        ['model.int8.onnx', 239_233_841, 'c71f0ce00bec95b07744e116345e33d8cbbe08cef896382cf907bf4b51a2cd51'],
        ['tokens.txt', 315_894, 'f449eb28dc567533d7fa59be34e2abca8784f771850c78a47fb731a31429a1dc'],
      ],
    ),
  },
  {
    name: 'whisper-tiny.en',
    roles: ['recognizer'],
    languages: ['en'],
    licence: 'MIT',
    files: huggingFace('csukuangfj/sherpa-onnx-whisper-tiny.en', 'd026532c022fa99fd789d6b32446a1df7b6bfc43', [
      [
        'tiny.en-encoder.int8.onnx',
        12_937_772,
        '0ce578b827c94a961aacb8fa14b02f096504b337e5c94be37c36238cbe3e8bc6',
      ],
      [
        'tiny.en-decoder.int8.onnx',
        89_853_865,
        '06c0e6ff6348d427e51839219d1c886c18cfdf411e629e33f5e1679bff9c1527',
      ],
      ['tiny.en-tokens.txt', 835_554, '306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930'],
    ]),
  },
  {
    name: 'whisper-tiny',
    roles: ['recognizer', 'languageIdentifier'],
    languages: WHISPER_LANGUAGES,
    licence: 'MIT',
    files: huggingFace('csukuangfj/sherpa-onnx-whisper-tiny', '65176e2deb88badc814a94058666cadccc29b61c', [
      [
        'tiny-encoder.int8.onnx',
        12_937_772,
        'd24fb083ae3b1041fc24e97971d60e280c9342201fbb67b0ab428a8b4a51a434',
      ],
      [
        'tiny-decoder.int8.onnx',
        89_855_401,
        'd2fece8dd42771f1df975c6c0445770d0c292bf7547c2cae04a6c0cc57540925',
      ],
      ['tiny-tokens.txt', 816_730, WHISPER_TOKENS_SHA256],
    ]),
  },
  {
    name: 'whisper-base',
    roles: ['recognizer', 'languageIdentifier'],
    languages: WHISPER_LANGUAGES,
    licence: 'MIT',
    files: huggingFace('csukuangfj/sherpa-onnx-whisper-base', 'bb53ee204431c90d314c1cc08d28d23e5b7927cc', [
      [
        'base-encoder.int8.onnx',
        29_120_534,
        '0b8fb1304b6109976038efff5ace81720e00386f3ff6b54ee8c75291ca0a1e11',
      ],
      [
        'base-decoder.int8.onnx',
        130_672_026,
        '9759d217388a01b3a4c7c15533201067b48ae819c4daafc8624e64b9409dc02d',
      ],
      ['base-tokens.txt', 816_730, WHISPER_TOKENS_SHA256],
    ]),
  },
  {
    name: 'pyannote-3-titanet-small',
    roles: ['diarizer'],
    languages: [],
    licence: 'MIT, CC-BY-4.0',
    files: [
      ...huggingFace(
        'csukuangfj/sherpa-onnx-pyannote-segmentation-3-0',
        '9403a6902bb58e3d5ae8c7e77c3422de279db2e0',
        [
          [
            'segmentation.onnx',
            5_992_913,
            '220ad67ca923bef2fa91f2390c786097bf305bceb5e261d4af67b38e938e1079',
            'model.onnx',
          ],
        ],
      ),
      {
        name: 'nemo_en_titanet_small.onnx',
        url: `${SHERPA_RELEASES}/speaker-recongition-models/nemo_en_titanet_small.onnx`,
        bytes: 40_257_283,
        sha256: 'ad4a1802485d8b34c722d2a9d04249662f2ece5d28a7a039063ca22f515a789e',
      },
    ],
  },
  {
    name: 'online-punct-en-2024-08-06',
    roles: ['punctuator'],
    languages: ['en'],
    licence: 'Apache-2.0',
    // A third-party copy of what sherpa-onnx publishes only as an archive. The checksums are those of the
    // archive's files, so other content is rejected.
    files: huggingFace('lorneluo/sherpa-onnx-online-punct-en-2024-08-06', 'main', [
      ['model.int8.onnx', 7_490_500, '9d611f445fe4a46186080fe161be6059d87d72eb88d3a8cb00c1a06e83a6067e'],
      ['bpe.vocab', 149_430, 'e118b7ad88c54db562517df49e1cffd4836d166c34fb190fd311d7f34eb238f5'],
    ]),
  },
  {
    name: 'twitter-roberta-sentiment',
    roles: ['sentimentAnalyzer'],
    languages: ['en'],
    licence: 'CC-BY-4.0',
    files: huggingFace(
      'Xenova/twitter-roberta-base-sentiment-latest',
      'f3ec4d0925f90c3ca7ee7814f52d6ee7cf180445',
      [
        [
          'model_quantized.onnx',
          125_905_426,
          '046f7e4cc46b399558fa9b2de966f6b0d42c69e4b01f582bfb4099b01a0bb5d7',
          'onnx/model_quantized.onnx',
        ],
        ['config.json', 887, 'cdf2b36e0066bd9996e3b9fb3f7c095dc656a0e62c6e3a7327d4ff5541e55b51'],
        ['tokenizer.json', 2_108_615, '1e6506713f00e34406a757acb80f9f3233c1c3950857d32bbc41bcd419d5d8b6'],
        ['tokenizer_config.json', 1243, '09cb41b20740b45cbbb801d5f66d764cb85a7a62204e999d70f897d05f9f8592'],
      ],
    ),
  },
  {
    name: 'silero-vad',
    roles: ['voiceDetector'],
    languages: [],
    licence: 'MIT',
    files: [
      {
        name: 'silero_vad.onnx',
        url: `${SHERPA_RELEASES}/asr-models/silero_vad.onnx`,
        bytes: 643_854,
        sha256: '9e2449e1087496d8d4caba907f23e0bd3f78d91fa552479bb9c23ac09cbb1fd6',
      },
    ],
  },
];
