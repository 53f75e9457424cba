/** The content and appearance of a list on another site. */
export interface EmbedChoice {
  organizerId: number;
  theme: 'auto' | 'light' | 'dark';
  count: string;
}

/** The parameters of `/embed` (services/catalog/PRODUCT.md#embeds). */
export const embedSearch = ({ organizerId, theme, count }: EmbedChoice): string =>
  new URLSearchParams({ organizer: String(organizerId), theme, limit: count }).toString();

/** The snippet that an organizer pastes into a page: a script that renders the list at its own position. */
export const embedSnippet = (choice: EmbedChoice, origin: string): string =>
  `<script async src="${origin}/embed.js" data-search="${embedSearch(choice).replaceAll('&', '&amp;')}"></script>`;
