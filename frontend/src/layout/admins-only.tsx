import type { ReactNode } from 'react';
import { useTexts } from '../lib/i18n/catalog.ts';
import { ForOthers } from './for-others.tsx';
import { texts } from './texts.en.ts';

/** Shown to other accounts instead of an admin page. `children` explains what admins do there. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  return <ForOthers title={useTexts(texts)('forAdmins')}>{children}</ForOthers>;
}
