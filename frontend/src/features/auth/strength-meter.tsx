import { useTexts } from '../../lib/i18n/catalog.ts';
import { cx } from '../../ui/cx.ts';
import { PASSWORD_MIN, strengthOf } from './strength.ts';
import { texts } from './texts.en.ts';

const colors = ['bg-danger-ink', 'bg-danger-ink', 'bg-metro-orange', 'bg-success-ink', 'bg-success-ink'] as const;

/** Four bars and a label. */
export function StrengthMeter({ password }: { password: string }) {
  const t = useTexts(texts);
  const min = String(PASSWORD_MIN);
  if (!password) return t('passwordHint', { min });
  const { score, label } = strengthOf(password);
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden className="flex flex-1 gap-1">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} className={cx('h-1.5 flex-1 rounded-full', bar <= score ? colors[score] : 'bg-line')} />
        ))}
      </span>
      <span className="w-32 text-end">
        <span className="sr-only">{t('strength')}</span>
        {score === 0 ? t('atLeast', { min }) : t(label)}
      </span>
    </span>
  );
}
