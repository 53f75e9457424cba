import { readFileSync } from 'node:fs';
import type { Response } from 'express';
import { escapeHtml } from '@beltway/kit/html';

const raw = Symbol('html');
/** Trusted HTML. Only `html` creates it, so typed text is always escaped. */
export interface Html {
  [raw]: string;
  toString(): string;
}

const rendered = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(rendered).join('');
  if (value !== null && typeof value === 'object' && raw in value) return (value as Html)[raw];
  return value === null || value === undefined || value === false ? '' : escapeHtml(String(value));
};

/** A template tag that escapes its values, except values that `html` created. */
export function html(parts: TemplateStringsArray, ...holes: unknown[]): Html {
  const text = parts.reduce((whole, part, index) => whole + rendered(holes[index - 1]) + part);
  return { [raw]: text, toString: () => text };
}

export const price = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);

/**
 * Sets headers that forbid inline code and foreign resources. `ancestors`: sites that may display the page in a frame.
 */
export function pageHeaders(res: Response, ancestors: "'self'" | "'none'"): void {
  res.set({
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action *; frame-ancestors ${ancestors}`,
    'x-frame-options': ancestors === "'self'" ? 'SAMEORIGIN' : 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
}

interface PageContent {
  title: string;
  body: Html | string;
  styles: string;
  script: string;
  narrow?: boolean;
}

export const page = ({ title, body, styles, script, narrow = false }: PageContent): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · Beltway sandbox</title>
        <link rel="stylesheet" href="${styles}" />
        <script src="${script}" defer></script>
      </head>
      <body class="${narrow ? 'narrow' : 'wide'}">
        <main aria-label="${title}">${body}</main>
      </body>
    </html>`.toString();

const types: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };
const kept = new Map<string, string>();

/** A script or style sheet of the sandbox's own pages. */
export function asset(res: Response, name: 'app.js' | 'app.css' | 'challenge.js'): void {
  const text = kept.get(name) ?? readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
  kept.set(name, text);
  res
    .set({
      'content-type': types[name.split('.').pop() ?? ''],
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    })
    .send(text);
}
