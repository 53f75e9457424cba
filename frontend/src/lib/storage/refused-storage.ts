// A browser that blocks a site's cookies also blocks its storage. Each access to `localStorage` then throws, and the
// page would stay blank.

/** Storage methods for an object that holds its items as own properties. */
const functions = {
  getItem(this: Record<string, string>, key: string): string | null {
    return Object.hasOwn(this, key) ? this[key]! : null;
  },
  setItem(this: Record<string, string>, key: string, value: string): void {
    Object.defineProperty(this, key, { value, enumerable: true, configurable: true, writable: true });
  },
  removeItem(this: Record<string, string>, key: string): void {
    delete this[key];
  },
  clear(this: Record<string, string>): void {
    for (const key of Object.keys(this)) delete this[key];
  },
  key(this: Record<string, string>, at: number): string | null {
    return Object.keys(this)[at] ?? null;
  },
  get length(): number {
    return Object.keys(this).length;
  },
};

/** Replaces blocked storage with memory that lasts until the page is closed. */
for (const name of ['localStorage', 'sessionStorage'] as const) {
  try {
    window[name].getItem('');
  } catch {
    Object.defineProperty(window, name, { value: Object.create(functions) as Storage, configurable: true });
  }
}
