/** A sentence on what has gone wrong, which screen readers say at once; nothing while it is empty. */
export function Problem({ text }: { readonly text: string }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
