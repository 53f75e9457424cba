import type { OwnCase } from '@beltway/contracts/moderation';
import { formatMoment } from '../../lib/format.ts';
import { DONE, REASONS } from './words.ts';

type Decision = OwnCase['decisions'][number] & { admin?: string | null };

const outcomeOf = ({ outcome }: NonNullable<Decision['appeal']>): string =>
  outcome === null ? 'waits for another look' : outcome === 'upheld' ? 'the decision stands' : 'the decision was wrong';

/** What was decided, the latest first, with what its author said against it. */
export const Decisions = ({ decisions }: { decisions: readonly Decision[] }) => (
  <ul aria-label="Decisions" className="grid gap-2">
    {decisions.map((decision) => {
      const { number, action, reason, note, at, until, appeal, admin } = decision;
      return (
        <li key={number} className="grid gap-1 text-note">
          <p>
            <span className="font-strong">{DONE[action]}</span>
            {until && ` until ${formatMoment(until)}`}
            {`: ${REASONS[reason]}`}{' '}
            <span className="text-ink-soft">
              {formatMoment(at)}
              {admin && ', by '}
              {admin && <bdi>{admin}</bdi>}
            </span>
          </p>
          {note && <p className="whitespace-pre-line break-words">{note}</p>}
          {appeal && (
            <p className="break-words">
              Appeal ({outcomeOf(appeal)}): <bdi className="whitespace-pre-line">{appeal.text}</bdi>
            </p>
          )}
        </li>
      );
    })}
  </ul>
);
