/** Transcribes a recording without polling: the service reports the end of the job to this program. */
import { createClient, createNotificationReceiver } from 'rxscribe';

const { RXSCRIBE_URL, RXSCRIBE_TOKEN, SIGNING_SECRET, PUBLIC_URL, PORT } = process.env;
const client = createClient({ url: RXSCRIBE_URL!, token: RXSCRIBE_TOKEN! });
await using receiver = await createNotificationReceiver({
  port: Number(PORT ?? 9000),
  publicUrl: PUBLIC_URL,
  secret: SIGNING_SECRET,
});
const { id } = await client.transcription.submit({ path: process.argv[2]! }, { notification: receiver });
console.error(`job ${id}: ${receiver.url} awaits its end`);
await client.transcription.waitFor(id, { receiver, signal: AbortSignal.timeout(3_600_000) });
process.stdout.write(await client.transcription.transcriptText(id));
