import type { UserStats } from '@beltway/contracts/points';
import { explain } from '../../lib/http.ts';
import { Switch } from '../../ui/field.tsx';
import { useChooseVisibility } from './api.ts';

/** Whether others see one's profile and one's place on the leaderboard. Off until one chooses it. */
export function VisibilitySwitch({ stats: { userId, isVisible } }: { stats: UserStats }) {
  const choose = useChooseVisibility(userId);
  return (
    <div className="rounded-lg border border-line bg-raised px-4 py-3 sm:px-5">
      <Switch
        label="Show my profile"
        hint="Others see your name, points and badges here and on the leaderboard. Where your points come from stays yours."
        checked={choose.isPending ? choose.variables : isVisible}
        disabled={choose.isPending}
        onCheckedChange={(wanted) => choose.mutate(wanted)}
      />
      <p role="status" className="sr-only">
        {choose.isSuccess && (isVisible ? 'Your profile is shown.' : 'Your profile is private.')}
      </p>
      {choose.error && (
        <p role="alert" className="text-danger-ink">
          {explain(choose.error)}
        </p>
      )}
    </div>
  );
}
