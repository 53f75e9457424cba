/** What a list on another site shows, and how. */
export interface EmbedChoice {
  organizerId: number;
  theme: 'auto' | 'light' | 'dark';
  count: string;
}

/** The parameters of `/embed` (services/catalog/PRODUCT.md#embeds). */
export const embedSearch = ({ organizerId, theme, count }: EmbedChoice): string =>
  new URLSearchParams({ organizer: String(organizerId), theme, limit: count }).toString();

/** What an organizer pastes into a page: the script that puts the list where it stands. */
export const embedSnippet = (choice: EmbedChoice, origin: string): string =>
  `<script async src="${origin}/embed.js" data-search="${embedSearch(choice).replaceAll('&', '&amp;')}"></script>`;
