/** Text as HTML shows it, in an element or in a quoted attribute (OWASP, "Cross Site Scripting Prevention", output encoding). */
export const escapeHtml = (text: string): string =>
  text.toWellFormed().replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
