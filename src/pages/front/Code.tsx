import { Section } from '../Section.tsx';
import { pageUrl } from '../thisPage.ts';
import { codeSamples } from './codeSamples.ts';

/** Shows the same in code, as curl, Node and a browser do it. */
export function Code() {
  return (
    <Section title="The same in code" class="card code">
      {Object.entries(codeSamples(pageUrl('.').href.replace(/\/$/, ''))).map(([title, code], index) => (
        <details key={title} name="code" open={index === 0}>
          <summary>{title}</summary>
          <pre>
            <code>{code}</code>
          </pre>
        </details>
      ))}
    </Section>
  );
}
