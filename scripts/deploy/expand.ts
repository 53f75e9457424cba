/** Statements that break the previous release, and the compatible steps to use instead. */
const BREAKING: Array<{ statement: RegExp; instead: string }> = [
  {
    statement: /\bdrop\s+(table|view|materialized\s+view|function|procedure|type|sequence|schema|extension|column)\b/,
    instead: 'drop it a release after nothing uses it, with `-- Contract: …`',
  },
  {
    statement: /\balter\s+table\b[^;]*\bdrop\s+(?!constraint|column|not\s+null|default|identity|expression)\w+/,
    instead: 'drop it a release after nothing uses it, with `-- Contract: …`',
  },
  {
    statement: /\balter\s+table\b[^;]*\brename\b/,
    instead: 'add the new name, write both, and drop the old one later',
  },
  {
    statement: /\balter\s+(view|type|function|sequence|index)\b[^;]*\brename\b/,
    instead: 'add the new name, and drop the old one later',
  },
  {
    statement: /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/,
    instead: 'add a column of the new type, write both, and drop the old one later',
  },
  {
    statement: /\bset\s+not\s+null\b/,
    instead: 'the release before writes rows without it: require it a release later, with `-- Contract: …`',
  },
  {
    statement:
      /\badd\s+(column\s+)?(if\s+not\s+exists\s+)?(?!constraint|primary|unique|foreign|check|exclude|value)\w+\s+(?![^,;]*(\bdefault\b|\bgenerated\b))[^,;]*\bnot\s+null\b/,
    instead: 'give the column a default: the release before does not write it',
  },
  {
    statement: /\badd\s+(constraint\s+\w+\s+)?(check|unique|foreign\s+key|primary\s+key|exclude)\b/,
    instead: 'the release before may write rows that it refuses: add it a release later, with `-- Contract: …`',
  },
  {
    statement: /\bcreate\s+unique\s+index\b/,
    instead: 'the release before may write such rows: add it a release later, with `-- Contract: …`',
  },
];

/** The SQL without comments, quoted texts and function bodies, in lower case. */
const bare = (sql: string): string =>
  sql
    .replace(/--[^\n]*|\/\*[^]*?\*\//g, ' ')
    .replace(/\$(\w*)\$[^]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase();

export interface Finding {
  statement: string;
  instead: string;
}

/**
 * Returns the statements of a migration that break the previous release. Returns none if the migration gives a reason:
 * `-- Contract: why nothing uses it any longer`, or `-- Breaking: why`, which makes older releases unready
 * (`schemaCheck`). Statements on tables that the migration itself creates are allowed, because no release uses these
 * tables yet.
 */
export function breakingStatements(sql: string): Finding[] {
  if (/^-- (Contract|Breaking): \S.{9,}/m.test(sql)) return [];
  const text = bare(sql);
  const created = new Set(
    [...text.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)/g)].map(([, name]) => name!),
  );
  return text
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => {
      const [, table] =
        /^(?:alter table(?: if exists)?(?: only)?|create unique index.*? on) (\w+)/.exec(statement) ?? [];
      return table === undefined || !created.has(table);
    })
    .flatMap((statement) => {
      const found = BREAKING.find((one) => one.statement.test(statement));
      return found ? [{ statement, instead: found.instead }] : [];
    });
}
