import { cx } from '../../ui/cx.ts';
import { PASSWORD_MIN, strengthOf } from './strength.ts';

const colours = ['bg-danger-ink', 'bg-danger-ink', 'bg-metro-orange', 'bg-success-ink', 'bg-success-ink'] as const;

/** Four bars and a word. */
export function StrengthMeter({ password }: { password: string }) {
  if (!password) return <>At least {PASSWORD_MIN} characters. A short sentence is easy to keep and hard to guess.</>;
  const { score, label } = strengthOf(password);
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden className="flex flex-1 gap-1">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} className={cx('h-1.5 flex-1 rounded-full', bar <= score ? colours[score] : 'bg-line')} />
        ))}
      </span>
      <span className="w-32 text-right">
        <span className="sr-only">Password strength: </span>
        {score === 0 ? `At least ${PASSWORD_MIN} characters` : label}
      </span>
    </span>
  );
}
