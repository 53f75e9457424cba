import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { BrowserRouter, useLocation, useNavigate, type NavigateFunction } from 'react-router-dom';
import { createQueryClient } from '../lib/http/query.ts';
import { AppRoutes } from '../router.tsx';
import { Toaster } from '../ui/toaster.tsx';

/** Renders an element (default: the whole app) at a path, as main.tsx does. */
export function renderAt(path: string, element: ReactNode = <AppRoutes />) {
  window.history.replaceState(null, '', path);
  const queries = createQueryClient();
  let go: NavigateFunction = () => undefined;
  const Navigator = () => {
    go = useNavigate();
    return null;
  };
  return {
    queries,
    /** Navigates as a link does. */
    navigate: (to: string) => void go(to),
    ...render(
      <QueryClientProvider client={queries}>
        <BrowserRouter>
          {element}
          <Navigator />
          <output data-testid="address">
            <Address />
          </output>
        </BrowserRouter>
        <Toaster />
      </QueryClientProvider>,
    ),
  };
}

const Address = () => {
  const { pathname, search, hash } = useLocation();
  return pathname + search + hash;
};
