/** Creates a value on first use, because creating a date format takes longer than formatting a hundred dates. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
