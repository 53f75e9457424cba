/** Makes something when it is first needed: a date format takes longer to make than a hundred dates to write. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
