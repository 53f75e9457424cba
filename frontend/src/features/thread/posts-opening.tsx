import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { CommunityNav } from './community-nav.tsx';
import { texts } from './texts.en.ts';

/**
 * The first screen of the community's posts in the HTML, without filters. Its button and fields only reserve space for
 * those of the page.
 */
export function PostsOpening() {
  const t = useTexts(texts);
  return (
    <Page
      title={t('title')}
      intro={t('lead')}
      actions={
        <Button disabled className="invisible">
          {t('signInToPost')}
        </Button>
      }
      width="text"
    >
      <CommunityNav />
      <div inert className={FILTERS}>
        <Field label={t('show')}>
          <Select>
            <option>{t('everybodys')}</option>
          </Select>
        </Field>
        <Field label={t('place')}>
          <Select>
            <option>{t('everywhere')}</option>
          </Select>
        </Field>
      </div>
    </Page>
  );
}

/** The layout of the feed's filters. */
export const FILTERS = 'grid gap-3 sm:grid-cols-2';
