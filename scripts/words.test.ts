import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Words that make comments, test titles and documents hard to read, and what to write instead (CONTRIBUTING.md). */
const AVOIDED: ReadonlyArray<readonly [words: RegExp, instead: string]> = [
  [/\b(says?|said|saying)\b/i, 'contains, reports, returns, requests: only people say'],
  [/\b(tells?|told|telling|hears?|heard)\b/i, 'notifies, publishes, sends; receives, consumes'],
  [/\b(nobody|somebody|everybody|whoever|whom)\b/i, 'the role: caller, buyer, client, visitor, admin; or no one'],
  [/\banew\b|\bfor ever\b|\bmeanwhile\b/i, 'again; permanently; concurrently, in the meantime'],
  [/\bstands?\b/i, 'is, appears, is listed'],
  [/(?:^|[.:;*/] *)Of (a|an|the|one|what|these|all|two|several)\b/, 'begin with the subject'],
  [/\bby itself\b|\bat once\b/i, 'automatically, alone; immediately or concurrently'],
  [/\b(what|that) (became|becomes) of\b/i, 'result, outcome, state'],
  [/\b(is|are|was|were) (looked at|asked for|taken for|let (in|go|through))\b/i, 'active voice'],
  [/\b(wish(es)?|crowd|patience|the dear part|other eyes)\b/i, 'the term of the field'],
  [/\bas (it|they) (is|are|was|were)\b|\bnot any more\b/i, 'unchanged; no longer'],
  [/\borganis(er|ers|ed|e|ation)\b/i, 'American spelling: organizer'],
];

/** The part of a line that people read: Markdown, comments, test titles. */
function prose(file: string, line: string): string {
  const text = line.trim();
  if (file.endsWith('.md') || /^(\/\/|\/?\*+|#(?!!)|--)/.test(text)) return text;
  const title = /\b(?:test|it|describe)(?:\.\w+)*\(\s*(['"`])(.+?)\1/.exec(text)?.[2];
  return title ?? /\s\/\/\s(.+)$/.exec(text)?.[1] ?? '';
}

const root = join(import.meta.dirname, '..');
// Licenses of other projects, the changelog with its older entries, and this list.
const EXEMPT = /^CHANGELOG\.md$|^docs\/(plan|glossary)\.md$|stripe-openapi|^scripts\/words\.test\.ts$/;

/** Number of flagged lines that are correct, such as names of events. Lower it when such lines disappear. */
const MOST = 23;

test('comments, test titles and documents are in plain English', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md'], { cwd: root, encoding: 'utf8' });
  const found = files
    .trim()
    .split('\n')
    .filter((file) => !EXEMPT.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => {
          const text = prose(file, line);
          const rule = text === '' ? undefined : AVOIDED.find(([words]) => words.test(text));
          return rule ? [`${file}:${at + 1}: ${text} (${rule[1]})`] : [];
        }),
    );
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(MOST);
});
