const names = new Map<string, string>();

/** The name of a prepared statement, unique per text. Only for constant texts, because texts are kept permanently. */
export const nameOf = (text: string): string => {
  const name = names.get(text) ?? `es_${names.size + 1}`;
  names.set(text, name);
  return name;
};

/**
 * A query that each connection parses and plans only once, because planning a short query takes longer than running it.
 */
export const prepared = (text: string, values: unknown[]): { name: string; text: string; values: unknown[] } => ({
  name: nameOf(text),
  text,
  values,
});
