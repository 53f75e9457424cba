import type { OwnCase } from '@beltway/contracts/identity/moderation';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { texts } from './texts.en.ts';

type Decision = OwnCase['decisions'][number] & { admin?: string | null };

const appealKey = ({ outcome }: NonNullable<Decision['appeal']>) =>
  outcome === null ? 'appealWaits' : outcome === 'upheld' ? 'appealUpheld' : 'appealReversed';

/** The decisions, latest first, with the author's appeals. */
export function Decisions({ decisions }: { decisions: readonly Decision[] }) {
  const t = useTexts(texts);
  return (
    <ul aria-label={t('decisions')} className="grid gap-2">
      {decisions.map((decision) => {
        const { number, action, reason, note, at, until, appeal, admin } = decision;
        const done = t(`${action}Done`);
        const when = formatMoment(at);
        return (
          <li key={number} className="grid gap-1 text-note">
            <p>
              {t.rich('decided', {
                done: () =>
                  until ? (
                    t.rich('doneUntil', {
                      done: (words) => <Strong>{words}</Strong>,
                      what: done,
                      when: formatMoment(until),
                    })
                  ) : (
                    <Strong>{done}</Strong>
                  ),
                reason: t(reason),
                when: () => (
                  <span className="text-ink-soft">
                    {admin ? t.rich('byAdmin', { when, admin: () => <bdi>{admin}</bdi> }) : when}
                  </span>
                ),
              })}
            </p>
            {note && <p className="whitespace-pre-line wrap-anywhere">{note}</p>}
            {appeal && (
              <p className="wrap-anywhere">
                {t.rich(appealKey(appeal), {
                  words: () => <bdi className="whitespace-pre-line">{appeal.text}</bdi>,
                })}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const Strong = ({ children }: { children: ReactNode }) => <span className="font-strong">{children}</span>;
