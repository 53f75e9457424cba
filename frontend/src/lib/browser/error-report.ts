import type { ClientErrorReport } from '@beltway/contracts/ops/client-errors';
import { HttpError } from '../http/http.ts';

/** Reports per page load: a page that keeps breaking tells nothing new after a few. */
const MOST_REPORTS = 5;

const EMAIL = /[\p{L}\p{N}._%+-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
/** Of an address; it may hold an order's access key. */
const QUERY_OR_FRAGMENT = /[?#][^\s"'<>():]*/g;

/** Without what could name a person or open an order. */
const scrub = (text: string): string =>
  text.replace(EMAIL, '[email]').replace(TOKEN, '[token]').replace(QUERY_OR_FRAGMENT, '');

function messageOf(error: unknown): string {
  // Its message has the body of the answer, in which anything can stand.
  if (error instanceof HttpError) return `HttpError ${error.status} ${error.problem?.code ?? ''}`.trim();
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** The frames alone: a stack begins with the message. As Chromium ("  at f (…)") and Firefox ("f@…:1:2") write them. */
const framesOf = (error: unknown): string =>
  (error instanceof Error && typeof error.stack === 'string' ? error.stack : '')
    .split('\n')
    .filter((line) => /^\s*at /.test(line) || /@\S*:\d+:\d+$/.test(line))
    .join('\n');

/** The name of the page's own script, which has a hash of its content. */
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
 * Tells the server of errors that nobody expected: each one once, at most five, and never of a report that failed. Sent without
 * cookies, also while the page is being left.
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
      // A report that cannot be made is dropped.
    }
  };
}

/** The reporter of this page load. */
export const reportError = errorReporter();

/** Reports what reaches the window: errors of handlers and timers, and rejections that nobody handles. Answers how to end that. */
export function watchErrors(report = reportError): () => void {
  const onError = ({ error, message }: ErrorEvent) => {
    // Of another origin's script nothing is known; a ResizeObserver that has to wait for the next frame breaks nothing.
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
