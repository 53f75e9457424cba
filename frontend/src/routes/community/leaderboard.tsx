import { useSearchParams } from 'react-router-dom';
import { CommunityNav } from '../../features/thread/community-nav.tsx';
import { PlaceField } from '../../features/thread/place-field.tsx';
import type { Board } from '../../features/points/api.ts';
import { Leaders } from '../../features/points/leaders.tsx';
import { texts } from '../../features/points/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';

/** Reads the leaderboard's filter from the URL and ignores invalid parameters. */
const boardOf = (params: URLSearchParams): Board => ({
  period: params.get('period') === 'all' ? 'all' : 'week',
  place: params.get('place') ?? '',
});

/** The public profiles with the most points, this week or of all time, everywhere or at one place. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('leaderboard'));
  const [params, setParams] = useSearchParams();
  const board = boardOf(params);
  const change = (name: 'period' | 'place', value: string) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { preventScrollReset: true });
  };
  return (
    <Page title={t('leaderboard')} intro={t('leaderboardLead')} width="text">
      <CommunityNav />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t('time')}>
          <Select value={board.period} onChange={({ target }) => change('period', target.value === 'all' ? 'all' : '')}>
            <option value="week">{t('thisWeek')}</option>
            <option value="all">{t('allTime')}</option>
          </Select>
        </Field>
        <PlaceField
          label={t('place')}
          none={t('everywhere')}
          value={board.place}
          onChange={(place) => change('place', place)}
        />
      </div>
      <Leaders board={board} />
    </Page>
  );
}
