import type { Command } from 'commander';

/** Example command lines, by command. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  rxscribe: ['rxscribe caption talk.mp3 --out talk.srt', 'rxscribe help transcribe'],
  'rxscribe caption': [
    'rxscribe caption talk.mp3 --out talk.srt --out talk.json',
    'rxscribe caption --mic --language en-GB --page 8090 --status',
    'rxscribe caption --config hall.yaml',
    'rxscribe caption https://example.org/talk.mp3 --speed max --json',
    'ffmpeg -i talk.mkv -f wav - | rxscribe caption -',
  ],
  'rxscribe resume': ['rxscribe resume talk.spool --out talk.srt', 'rxscribe resume talk.spool --human'],
  'rxscribe record': [
    'rxscribe record talk.wav --out talk.cassette.jsonl',
    'rxscribe record --import log.jsonl talk.wav --out talk.cassette.jsonl',
  ],
  'rxscribe transcribe': [
    'rxscribe transcribe talk.mp3 --format srt --out talk.json',
    'rxscribe transcribe call.wav --speaker-channels-count 2 --vocabulary names.txt',
    'rxscribe transcribe talk.cassette.jsonl --human --no-wait',
    'rxscribe transcribe https://example.org/talk.mp3 --no-wait --notify https://example.org/hook',
  ],
  'rxscribe identify': ['rxscribe identify talk.mp3'],
  'rxscribe align': ['rxscribe align talk.mp3 --text talk.txt --format json'],
  'rxscribe sentiment': [
    "rxscribe sentiment --text 'I loved the food.'",
    'rxscribe sentiment --text talk.json --filter-for negative',
  ],
  'rxscribe replay': [
    'rxscribe replay talk.cassette.jsonl --reference talk.txt --max-wer 20%',
    'rxscribe replay suite.yaml --baseline baseline.json --report report.html',
  ],
  'rxscribe bench': ['rxscribe bench samples --url embedded --url https://speech.example.org --repeats 3'],
  'rxscribe load': [
    'rxscribe load --streams 100 --ramp 10/30s --url https://speech.example.org',
    'rxscribe load talk.mp3 --streams 20 --jobs 4 --for 600 --max-delay 3 --json',
    'rxscribe load --chaos compose:api-1 --chaos compose:worker --url http://127.0.0.1:8080',
  ],
  'rxscribe serve': ['rxscribe serve --port 8080 --data ./data'],
  'rxscribe ops': [
    'rxscribe ops --data ./data',
    'rxscribe ops --url https://speech.example.org --once --json',
  ],
  'rxscribe job': ['rxscribe job list', 'rxscribe job transcript Hb3kT0cVt9Qx4E --format vtt'],
  'rxscribe job get': ['rxscribe job get Hb3kT0cVt9Qx4E --area alignment'],
  'rxscribe job list': ['rxscribe job list --limit 10', 'rxscribe job list --all --json'],
  'rxscribe job delete': ['rxscribe job delete Hb3kT0cVt9Qx4E'],
  'rxscribe job transcript': ['rxscribe job transcript Hb3kT0cVt9Qx4E --format srt'],
  'rxscribe job waiting': ['rxscribe job waiting --data ./data'],
  'rxscribe job claim': ['rxscribe job claim Hb3kT0cVt9Qx4E --worker alice --data ./data'],
  'rxscribe job finish': ['rxscribe job finish Hb3kT0cVt9Qx4E talk.txt --data ./data'],
  'rxscribe vocabulary': ['rxscribe vocabulary submit names.txt'],
  'rxscribe vocabulary submit': ["rxscribe vocabulary submit names.txt --metadata 'names of the guests'"],
  'rxscribe vocabulary list': ['rxscribe vocabulary list --all'],
  'rxscribe vocabulary get': ['rxscribe vocabulary get cvHb3kT0cVt9Qx'],
  'rxscribe vocabulary delete': ['rxscribe vocabulary delete cvHb3kT0cVt9Qx'],
  'rxscribe webhook': ['rxscribe webhook listen --port 8081'],
  'rxscribe webhook verify': ["rxscribe webhook verify body.json --signature 't=1767225600,v1=…'"],
  'rxscribe webhook listen': ['rxscribe webhook listen --port 8081'],
  'rxscribe account': ['rxscribe account create --email alice@example.org --credit 3600'],
  'rxscribe account create': ['rxscribe account create --email alice@example.org --credit 3600'],
  'rxscribe account list': ['rxscribe account list --data ./data'],
  'rxscribe account credit': ['rxscribe account credit alice@example.org 3600'],
  'rxscribe account settings': ['rxscribe account settings alice@example.org --delete-after-seconds 86400'],
  'rxscribe account delete': ['rxscribe account delete alice@example.org --yes'],
  'rxscribe account token': ['rxscribe account token create alice@example.org'],
  'rxscribe account token create': ['rxscribe account token create alice@example.org --name laptop'],
  'rxscribe account token list': ['rxscribe account token list alice@example.org'],
  'rxscribe account token revoke': ['rxscribe account token revoke alice@example.org Hb3kT0cVt9Qx4E'],
  'rxscribe desk': ['rxscribe desk user add ann --role transcriber --data ./data'],
  'rxscribe desk user': ['rxscribe desk user add ann --role transcriber --data ./data'],
  'rxscribe desk user add': [
    'rxscribe desk user add ann --role transcriber --data ./data',
    'cat password.txt | rxscribe desk user add ann --role transcriber --data ./data',
  ],
  'rxscribe desk user list': ['rxscribe desk user list --data ./data'],
  'rxscribe desk user disable': ['rxscribe desk user disable ann --data ./data'],
  'rxscribe desk user password': ['rxscribe desk user password ann --data ./data'],
  'rxscribe desk export': ['rxscribe desk export Hb3kT0cVt9Qx4E talk --worker ann --data ./data'],
  'rxscribe desk import': [
    'rxscribe desk import Hb3kT0cVt9Qx4E talk/transcript.txt --worker ann --data ./data',
  ],
  'rxscribe desk proposals': ['rxscribe desk proposals --data ./data'],
  'rxscribe desk events': ['rxscribe desk events --data ./data'],
  'rxscribe export': [
    'rxscribe export backup --data ./data',
    'rxscribe export - --data ./data | gzip > backup.tar.gz',
  ],
  'rxscribe import': [
    'rxscribe import backup --database postgres://… --objects s3://speech/service',
    'gunzip -c backup.tar.gz | rxscribe import - --data ./new',
  ],
  'rxscribe model': ['rxscribe model pull whisper-tiny', 'rxscribe model use whisper-tiny'],
  'rxscribe model list': ['rxscribe model list'],
  'rxscribe model pull': ['rxscribe model pull whisper-tiny'],
  'rxscribe model verify': ['rxscribe model verify'],
  'rxscribe model use': ['rxscribe model use whisper-tiny --for language-identifier'],
  'rxscribe completion': ['source <(rxscribe completion bash)', 'rxscribe completion fish | source'],
  'rxscribe doctor': [
    'rxscribe doctor --fix',
    'rxscribe doctor --microphones',
    'rxscribe doctor --config captions.yaml',
  ],
};

/** Returns the examples of a command. */
export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES[commandPath(command)] ?? [];
}

/** Returns the name of a command behind those of its parents, such as `rxscribe job get`. */
export function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}
