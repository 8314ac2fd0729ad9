/** Colours with enough contrast, in light and dark. Hides controls that have no use here, except the switch between the two. */
const CSS = `
.topbar .link, .topbar .download-url-wrapper, .servers-title, .servers { display: none !important; }
#swagger-ui :is(.info a, .btn:not(.execute), .btn.authorize span, .parameter__in, .header-col) { color: inherit; }
#swagger-ui :is(.renderedMarkdown code, .json-schema-2020-12-expand-deep-button) { color: inherit; }
#swagger-ui :is(.version, .download-contents, .opblock-summary-method, .execute) { background: #4a5160; color: #fff; }
#swagger-ui :is(.execute, .opblock-get .opblock-summary-method) { border-color: #0a5cc2; background: #0a5cc2; }
#swagger-ui .opblock-post .opblock-summary-method { background: #14753d; }
#swagger-ui .opblock-delete .opblock-summary-method { background: #b3122a; }
/* Wrapped, as examples that scroll would each need a stop of the tab key. */
#swagger-ui .microlight { overflow: visible !important; max-height: none !important; background: #111 !important; }
#swagger-ui :is(.microlight, .microlight *) { white-space: pre-wrap !important; overflow-wrap: anywhere; }
`;

/** Attributes that Swagger UI lacks, or must not have (null), for screen readers. */
const ATTRIBUTES = {
  h3: { 'aria-level': 2 },
  h4: { 'aria-level': 3 },
  h5: { 'aria-level': 4 },
  '.information-container': { role: 'region', 'aria-label': 'About' },
  '.schemes-server-container': { role: 'region', 'aria-label': 'Authorization' },
  '.modal-ux': { role: 'dialog', 'aria-label': 'Authorization' },
  '.close-modal': { 'aria-label': 'Close' },
  '.body-param__text': { 'aria-label': 'Request body' },
  '.modal-btn': { 'aria-label': null },
  '.responses-table': { role: null },
  // A link in a button. A click on the button puts its address in the address bar as well.
  '.opblock-summary-control a': { href: null },
};

const SCRIPT = `{
  const root = document.getElementById('swagger-ui');
  const mend = () => {
    for (const [selector, attributes] of Object.entries(${JSON.stringify(ATTRIBUTES)}))
      for (const each of root.querySelectorAll(selector))
        for (const [name, value] of Object.entries(attributes))
          value === null ? each.removeAttribute(name) : each.setAttribute(name, value);
    for (const field of root.querySelectorAll('[data-param-name] :is(select, input, textarea)'))
      field.setAttribute('aria-label', field.closest('[data-param-name]').dataset.paramName);
  };
  new MutationObserver(mend).observe(root, { childList: true, subtree: true });
}`;

/** The look of the API reference, and a script that makes it accessible. */
export const REFERENCE_THEME = {
  title: 'API reference of the speech service',
  css: [{ filename: 'reference.css', content: CSS }],
  js: [{ filename: 'reference.js', content: SCRIPT }],
};
