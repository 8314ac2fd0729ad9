/** Captions of a microphone on a web page, with a page for an operator, and in files. */
import { microphone, transcribe } from 'rxscribe';
import { CaptionRoom, fileOutput, OutputFeed, openCaptionPage, operatorRoutes } from 'rxscribe/captions';

const token = process.env.RXSCRIBE_TOKEN!;
await using page = await openCaptionPage({ port: 8090 });
const outputs = [
  page.track('', { title: 'Town hall', language: 'en' }),
  fileOutput(['talk.srt', 'talk.json']),
];
const feeds = outputs.map(output => new OutputFeed({ output, delayMs: 500 }));
const room = new CaptionRoom({ language: 'en', tracks: [{ feeds }], rules: { profanity: 'mask' } });
page.route(
  '/operator',
  operatorRoutes([{ name: '', control: room.control }], { token: process.env.OPERATOR_TOKEN! }),
);
const live = transcribe({ url: 'http://127.0.0.1:8080', token, language: 'en' });
await microphone()
  .pipe(room.audio(), live)
  .forEach(event => {
    room.take(event);
  });
await room.close();
