import { HttpProblem } from '@beltway/kit/problems';

export const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Visible ASCII without backslash and `#`. Starts with exactly one slash, because a parser may read two as a host. */
const UNAMBIGUOUS = /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/;
/** Parts that a service could parse differently: empty segments, and encoded slashes, backslashes and NULs. */
const AMBIGUOUS = /\/\/|%(2f|5c|00)/i;
/** `.` and `..`, spelled out or encoded. */
const DOTS = /\/(\.|%2e){1,2}(?=\/|$)/i;

/**
 * Returns why a request's method or target is refused, or undefined. The gateway chooses a service based on the raw
 * path and forwards the path unchanged, so it accepts only paths that all parsers read in the same way.
 */
export function badTarget(method: string, url: string): HttpProblem | undefined {
  if (!METHODS.has(method)) return new HttpProblem(405, 'method-not-allowed', { params: { method } });
  const path = pathOf(url);
  const plain = UNAMBIGUOUS.test(path) && !AMBIGUOUS.test(path) && !DOTS.test(path) && isText(path);
  return plain && !/[^\x21-\x7e]|#/.test(url) ? undefined : new HttpProblem(400, 'malformed-path');
}

function isText(path: string): boolean {
  try {
    return !path.includes('%') || decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** The path of the request, without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
