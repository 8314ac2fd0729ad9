import { Section } from '../Section.tsx';
import { pageUrl } from '../thisPage.ts';
import { codeSamples } from './codeSamples.ts';

/** Shows programs with the functions of the page, for curl, Node and a browser. */
export function Code() {
  return (
    <Section title="The same in code" class="card code">
      {Object.entries(codeSamples(pageUrl('.').href.replace(/\/$/, ''))).map(([title, code]) => (
        <details key={title} name="code">
          <summary>{title}</summary>
          <pre>
            <code>{code}</code>
          </pre>
        </details>
      ))}
    </Section>
  );
}
