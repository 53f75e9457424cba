import type { Event } from '../catalog/events.ts';
import type { Language } from './languages.ts';

/** What the gateway has the page's components render, in which language, at which time (milliseconds). */
export type FirstScreenOrder = { language: Language; now: number } & (
  | { screen: 'home'; comingUp: readonly Event[] }
  | { screen: 'event' | 'checkout'; event: Event }
  | { screen: 'auth' }
);

/** Texts of the page that the gateway writes into heads. */
export interface HeadTexts {
  siteTitle: string;
  /** With `{title}` in it, of an event. */
  pictureOf: string;
  /** An organizer without a name. */
  nameless: string;
}

/** The module that the page's build makes for it. */
export interface FirstScreens {
  /** Loads what rendering needs. */
  prepare(): Promise<void>;
  render(order: FirstScreenOrder): string;
  headTexts(language: Language): HeadTexts;
}

/** What the gateway reads about a build of the page. */
export interface PageBuild {
  /** Every address of the page: `/event/:id`. */
  paths: string[];
  /** By the first part of an address: the files that its page needs beside what every page loads. */
  files: Record<string, string[]>;
}
