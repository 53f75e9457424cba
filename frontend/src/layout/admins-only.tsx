import type { ReactNode } from 'react';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';

/** In place of a page for admins; `children` says what admins do there. */
export const AdminsOnly = ({ children }: { children: ReactNode }) => (
  <div className="page py-12">
    <EmptyState heading="h1" title="For admins only" action={<ButtonLink to="/">Back to the feed</ButtonLink>}>
      {children}
    </EmptyState>
  </div>
);
