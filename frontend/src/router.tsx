import { lazy, type ComponentType, type ReactNode } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router-dom';
import { Layout } from './layout/layout.tsx';
import { RequireSession } from './layout/require-session.tsx';
import { RouteError } from './layout/route-error.tsx';

/** Each page is a chunk of its own: `export function Component()` in its file. */
const page = (load: () => Promise<{ Component: ComponentType }>): ReactNode => {
  const Page = lazy(async () => ({ default: (await load()).Component }));
  return <Page />;
};
const signedIn = (element: ReactNode): ReactNode => <RequireSession>{element}</RequireSession>;

export const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <RouteError />,
    children: [
      {
        // A page that breaks leaves the header standing.
        errorElement: <RouteError />,
        children: [
          { path: '/', element: page(() => import('./routes/home.tsx')) },
          { path: '/auth', element: page(() => import('./routes/auth.tsx')) },
          { path: '/event/:id', element: page(() => import('./routes/event.tsx')) },
          { path: '/ticket-checkout', element: page(() => import('./routes/ticket-checkout.tsx')) },
          { path: '/ticket-success', element: page(() => import('./routes/ticket-success.tsx')) },
          { path: '/my-tickets', element: signedIn(page(() => import('./routes/my-tickets.tsx'))) },
          { path: '*', element: page(() => import('./routes/not-found.tsx')) },
        ],
      },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
