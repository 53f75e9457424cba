const names = new Map<string, string>();

/** The name under which a statement is prepared: the same text, the same name. For texts of the code's own, not for made ones. */
export const nameOf = (text: string): string => {
  const name = names.get(text) ?? `es_${names.size + 1}`;
  names.set(text, name);
  return name;
};

/** A query that a connection parses and plans once: what is short takes longer to plan than to run. */
export const prepared = (text: string, values: unknown[]): { name: string; text: string; values: unknown[] } => ({
  name: nameOf(text),
  text,
  values,
});
