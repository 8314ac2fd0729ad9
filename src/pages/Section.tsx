import type { HTMLAttributes } from 'preact';

export interface SectionProps extends HTMLAttributes<HTMLElement> {
  readonly title: string;
  readonly heading?: 'h2' | 'h3';
}

/** A part of a page, with its title as heading and as name for screen readers. */
export function Section({ title, heading: Heading = 'h2', children, ...props }: SectionProps) {
  return (
    <section aria-label={title} {...props}>
      <Heading>{title}</Heading>
      {children}
    </section>
  );
}
