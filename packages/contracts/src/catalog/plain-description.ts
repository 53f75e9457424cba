/** A link in a description, with its visible words: `[words](https://…)`. */
export const LABELED = /\[([^[\]\n]{1,200})\]\((https?:\/\/[^\s()<>"\\]{1,2000})\)/giu;

/** A description without markup, for previews, mails, feeds and search engines. */
export const plainDescription = (description: string): string => description.replace(LABELED, '$1');
