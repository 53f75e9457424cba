// A browser that blocks a site's cookies refuses it storage too: each look at `localStorage` then throws, and the page would stay blank.

/** The functions of a storage, of an object that keeps its items as its own properties. */
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

/** Kept in memory, until the page is closed, where the browser refuses storage. */
for (const name of ['localStorage', 'sessionStorage'] as const) {
  try {
    window[name].getItem('');
  } catch {
    Object.defineProperty(window, name, { value: Object.create(functions) as Storage, configurable: true });
  }
}
