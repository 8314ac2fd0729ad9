/** Returns programs with the functions of the page, by their titles. */
export function codeSamples(url: string): Readonly<Record<string, string>> {
  return {
    curl: `export RXSCRIBE_TOKEN=… # of: rxscribe account token create
jobs=${url}/speechtotext/v1/jobs
auth="Authorization: Bearer $RXSCRIBE_TOKEN"

id=$(curl -sf -H "$auth" -F media=@talk.wav $jobs | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
while curl -sf -H "$auth" $jobs/$id | grep -q '"in_progress"'; do sleep 1; done
curl -sf -H "$auth" -H 'Accept: text/plain' $jobs/$id/transcript
`,
    Node: `import { live, textOf } from 'rxscribe'; // npm install rxscribe rxjs

const token = process.env.RXSCRIBE_TOKEN;
for await (const event of live('talk.wav', { url: '${url}', token })) {
  if (event.type === 'final') console.log(textOf(event.elements));
}
`,
    Browser: `import { browserMicrophone, resample, textOf, transcribe } from 'rxscribe/browser';

// Your server gets a token from POST /speechtotext/v1/stream_tokens, which is valid for a minute.
const token = async () => (await fetch('/token', { method: 'POST' })).text();
browserMicrophone()
  .pipe(resample(), transcribe({ url: '${url}', token }))
  .subscribe(event => {
    if (event.type === 'final') document.body.append(textOf(event.elements), ' ');
  });
`,
  };
}
