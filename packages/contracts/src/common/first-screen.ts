import type { Event } from '../catalog/events.ts';
import type { Organizer } from '../catalog/organizers.ts';
import type { Language } from './languages.ts';

/** A request from the gateway to the frontend's renderer: screen, language and time (ms). */
export type FirstScreenOrder = { language: Language; now: number } & (
  | { screen: 'home'; comingUp: readonly Event[] }
  | { screen: 'event' | 'checkout'; event: Event }
  | { screen: 'organizer'; organizer: Organizer; next?: Event | undefined }
  | { screen: 'auth' | 'community' }
);

/** Texts of the frontend that the gateway writes into the head of an HTML document. */
export interface HeadTexts {
  siteTitle: string;
  /** Contains `{title}`, the title of an event. */
  pictureOf: string;
  /** Display name of an organizer without a name. */
  nameless: string;
}

/** The module that the frontend's build generates for the gateway. */
export interface FirstScreens {
  /** Loads everything that rendering requires. */
  prepare(): Promise<void>;
  render(order: FirstScreenOrder): string;
  headTexts(language: Language): HeadTexts;
}

/** The data that the gateway reads from a build of the frontend. */
export interface PageBuild {
  /** Every route of the frontend, such as `/event/:id`. */
  paths: string[];
  /** Files that a route requires in addition to the common files, keyed by the first segment of the route's path. */
  files: Record<string, string[]>;
}
