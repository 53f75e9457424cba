import { hash } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID derived from a text (version 8, RFC 9562). A text that is a UUID is returned in lowercase. */
export function uuidFrom(text: string): string {
  if (UUID.test(text)) return text.toLowerCase();
  const hex = hash('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A short digest of a request's body, for `Context.fingerprint`. The order of keys does not affect it. */
export function fingerprintOf(body: unknown): string {
  const sorted = (value: unknown): unknown =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, sorted(inner)]),
        )
      : Array.isArray(value)
        ? value.map(sorted)
        : value;
  return hash('sha256', JSON.stringify(sorted(body) ?? 'null'), 'base64url').slice(0, 22);
}
