import ts from 'typescript';
import { expect, test } from 'vitest';
import { changeOf, mutantsOf, mutated, withProbes } from './mutants.ts';

const changes = (text: string) => mutantsOf(text).map((mutant) => changeOf(text, mutant));
const after = (text: string) => mutantsOf(text).map((mutant) => mutated(text, mutant));

test('a condition becomes true and false', () => {
  expect(changes('if (isOld(sale)) leave: {}')).toEqual(['isOld(sale) → true', 'isOld(sale) → false']);
  expect(changes('const a = isOld ? b : c')).toEqual(['isOld → true', 'isOld → false']);
  expect(changes('const isOld = !isNew')).toEqual(['!isNew → true', '!isNew → false']);
});

test('a loop is never made endless by its condition or its step', () => {
  expect(changes('while (more()) {}')).toEqual(['more() → false']);
  expect(changes('for (let n = 0; n < 3; n++) {}')).toEqual(['n < 3 → false', '< → <=']);
});

test('the bounds of a comparison move by one, even within a larger condition', () => {
  expect(changes('if (a < b) leave: {}')).toEqual(['a < b → true', 'a < b → false', '< → <=']);
  expect(changes('const has = () => a >= b && c')).toEqual(['a >= b && →', '>= → >', '&& c →']);
});

test('each operand of a logical expression is removed', () => {
  expect(changes('const name = said ?? known')).toEqual(['said ?? →', '?? known →']);
  expect(after('const both = !(a && b) || c;')).toContain('const both = !(a) || c;');
  expect(changes('const all = a || b || c')).toEqual(['a || →', '|| b →', '|| c →']);
});

test('arithmetic operators become their opposite, except on text', () => {
  expect(changes('const left = capacity - sold * 2')).toEqual(['- → +', '* → /']);
  expect(changes("const name = `${first} ` + last + '.'")).toEqual([]);
  expect(changes('sale.sold += quantity')).toEqual(['sale.sold += quantity → ;', '+= → -=']);
  expect(changes('version++')).toEqual(['version++ → ;', 'version++ → version--']);
  expect(changes('const all = bits & ~before')).toEqual(['& → |']);
});

test('a statement that calls, throws or skips is removed', () => {
  expect(changes('await client.query(text)')).toEqual(['await client.query(text) → ;']);
  expect(changes('function f() { throw gone() }')).toEqual(['throw gone() → ;']);
  expect(changes('for (const one of all) { if (one) continue; break }')).toEqual([
    'one → true',
    'one → false',
    'continue; → ;',
    'break → ;',
  ]);
});

test('log lines and the `break` statements of cases are not removed', () => {
  expect(changes("log.warn({ id }, 'a message failed')")).toEqual([]);
  expect(changes("store.warn(error, 'deciding failed')")).toEqual([]);
  expect(changes("switch (type) { case 'a': break }")).toEqual([]);
});

test('a list loses one element at a time, and an object loses the values that are spread into it', () => {
  expect(changes('const events = [released, ...more]')).toEqual(['released, →', ', ...more →']);
  expect(changes('const data = { id, ...promised }')).toEqual(['...promised → ...{}']);
  expect(changes('[first, second] = rows; for (const [a, b] of all) {}')).toEqual(['[first, second] = rows; → ;']);
});

test('calls that select or sort are removed, and methods are replaced by their opposites', () => {
  expect(changes('const some = all.filter(isOpen).some(isOld)')).toEqual(
    expect.arrayContaining(['all.filter(isOpen) → all', 'some → every']),
  );
  expect(changes('const least = Math.min(a, b)')).toEqual(['min → max']);
});

test('a mutant has the line of its change', () => {
  expect(mutantsOf('const events = [\n  released,\n  held,\n];').map(({ line }) => line)).toEqual([2, 3]);
});

test('types and imports are not changed', () => {
  expect(changes("import { a } from './a.ts'; type A = [true, false]; interface B { c: false }")).toEqual([]);
  expect(changes('const a = b as true')).toEqual([]);
});

const SAMPLE = `
const left = (sale: Sale) => capacity(sale) - sale.sold;
const maker = (a: number) => (b: number) => ({ a, b });
export async function decide(command: Command, sale: Sale): Promise<Event[]> {
  if (!sale.terms || sale.closed) throw new Rejected('closed');
  switch (command.type) {
    case 'Hold': {
      const more = (command.more ?? []).map((one) => one.id);
      for (let n = 0; n < more.length; n++) if (more[n] === 'x') break;
      return [{ type: 'Held', ...(more.length > 0 && { more }) }, ...more];
    }
    case 'Release':
      try {
        await sale.release();
      } finally {
        count--;
      }
      return [];
  }
}
`;
const faultsOf = (text: string) => ts.transpileModule(text, { reportDiagnostics: true }).diagnostics;

test('every mutant is a valid program', () => {
  const mutants = after(SAMPLE);
  expect(mutants.length).toBeGreaterThan(20);
  for (const mutant of mutants) expect(faultsOf(mutant), mutant).toEqual([]);
});

test('probes report each block that runs, and no other', () => {
  const text = `
const double = (n) => n * 2;
function choose(isBig) {
  if (isBig) { return double(100); }
  switch (isBig) { case 0: return double(1); }
}`;
  const run = (call: string) => {
    const reached = new Set<number>();
    // The function's parameter shadows the global object.
    new Function('globalThis', `${withProbes(text)} ${call}`)({ reached: (block: number) => reached.add(block) });
    return mutantsOf(text)
      .filter(({ block }) => reached.has(block))
      .map((mutant) => changeOf(text, mutant));
  };
  expect(run('')).toEqual([]);
  expect(run('double(1)')).toEqual(['* → /']);
  expect(run('choose(0)')).toEqual(['* → /', 'isBig → true', 'isBig → false']);
  expect(faultsOf(withProbes(SAMPLE))).toEqual([]);
});
