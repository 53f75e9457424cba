import type { ClientErrorReport } from '@beltway/contracts/ops/client-errors';
import { HttpError } from '../http/http.ts';

/** Maximum reports per page load. After a few, a page that keeps breaking reports nothing new. */
const MOST_REPORTS = 5;

const EMAIL = /[\p{L}\p{N}._%+-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
/** A URL's query or fragment, which may contain an order's access key. */
const QUERY_OR_FRAGMENT = /[?#][^\s"'<>():]*/g;

/** Removes everything that could identify a person or open an order. */
const scrub = (text: string): string =>
  text.replace(EMAIL, '[email]').replace(TOKEN, '[token]').replace(QUERY_OR_FRAGMENT, '');

function messageOf(error: unknown): string {
  // Leaves out the message of an HttpError, because it includes the response body, which may contain personal data.
  if (error instanceof HttpError) return `HttpError ${error.status} ${error.problem?.code ?? ''}`.trim();
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/**
 * The stack's frames, in Chromium's ("  at f (…)") or Firefox's ("f@…:1:2") format, without the error message at its
 * beginning.
 */
const framesOf = (error: unknown): string =>
  (error instanceof Error && typeof error.stack === 'string' ? error.stack : '')
    .split('\n')
    .filter((line) => /^\s*at /.test(line) || /@\S*:\d+:\d+$/.test(line))
    .join('\n');

/** The name of the page's script, which includes a hash of its content. */
const releaseOf = (): string =>
  document.querySelector('script[type="module"][src]')?.getAttribute('src')?.split('/').at(-1) ?? '';

function reportOf(error: unknown): ClientErrorReport {
  const stack = scrub(framesOf(error)).slice(0, 4_000);
  const release = releaseOf().slice(0, 64);
  return {
    message: scrub(messageOf(error)).slice(0, 500),
    ...(stack && { stack }),
    path: scrub(window.location.pathname).slice(0, 200),
    ...(release && { release }),
  };
}

/**
 * Reports unexpected errors to the server: each error once, at most five in all, and never a failure of the reporting
 * itself. Sent without cookies, even while the page unloads.
 */
export function errorReporter(): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    try {
      const report = reportOf(error);
      const same = `${report.message}\n${report.stack?.split('\n')[0]}`;
      if (reported.has(same) || reported.size >= MOST_REPORTS) return;
      reported.add(same);
      fetch('/api/client-errors', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(report),
        credentials: 'omit',
        keepalive: true,
      }).catch(() => undefined);
    } catch {
      // A report that cannot be created is dropped.
    }
  };
}

/** The reporter of this page load. */
export const reportError = errorReporter();

/**
 * Reports errors that reach the window: from handlers, timers and unhandled rejections. Returns a function that stops
 * the reporting.
 */
export function watchErrors(report = reportError): () => void {
  const onError = ({ error, message }: ErrorEvent) => {
    // Ignores errors of cross-origin scripts, which have no details, and ResizeObserver loops, which are harmless.
    if (error) report(error);
    else if (message && !/^(Script error|ResizeObserver loop)/.test(message)) report(message);
  };
  const onRejection = ({ reason }: PromiseRejectionEvent) => report(reason);
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  return () => {
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  };
}
