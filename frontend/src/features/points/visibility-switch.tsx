import type { UserStats } from '@beltway/contracts/identity/points';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Failure } from '../../ui/failure.tsx';
import { Switch } from '../../ui/field.tsx';
import { useChooseVisibility } from './api.ts';
import { texts } from './texts.en.ts';

/** Sets whether others see the account's profile and leaderboard position. Off by default. */
export function VisibilitySwitch({ stats: { userId, isVisible } }: { stats: UserStats }) {
  const t = useTexts(texts);
  const choose = useChooseVisibility(userId);
  return (
    <div className="rounded-lg border border-line bg-raised px-4 py-3 sm:px-5">
      <Switch
        label={t('showProfile')}
        hint={t('showProfileHint')}
        checked={choose.isPending ? choose.variables : isVisible}
        disabled={choose.isPending}
        onCheckedChange={(wanted) => choose.mutate(wanted)}
      />
      <p role="status" className="sr-only">
        {choose.isSuccess && (isVisible ? t('profileShown') : t('profilePrivate'))}
      </p>
      <Failure of={choose.error} />
    </div>
  );
}
