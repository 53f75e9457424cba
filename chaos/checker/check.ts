import { checkDuplicates } from './duplicates.ts';
import { KINDS, type Evidence, type Kind, type Violation } from './evidence.ts';
import { foldSales } from './fold.ts';
import { checkMoney } from './money.ts';
import { checkPeople } from './people.ts';
import { checkPromises, checkRefused } from './promises.ts';
import { checkReadModels } from './read-models.ts';
import { checkRefusals } from './refusals.ts';

/** Checks the evidence of a run that has settled. Pure: the same evidence gives the same violations. */
export function check(evidence: Evidence): Violation[] {
  const sales = foldSales(evidence.ticketing);
  return [
    ...sales.flatMap(({ violations }) => violations),
    ...checkRefusals(sales, evidence.client),
    ...checkPromises(evidence, sales),
    ...checkRefused(evidence, sales),
    ...checkDuplicates(evidence, sales),
    ...checkMoney(evidence, sales),
    ...checkReadModels(evidence, sales),
    ...checkPeople(evidence),
  ];
}

/** Number of violations of each kind, including zeros. */
export function countOf(violations: Violation[]): Record<Kind, number> {
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  for (const { kind } of violations) counts[kind]++;
  return counts;
}
