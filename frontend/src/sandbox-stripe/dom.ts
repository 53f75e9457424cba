type Attributes = Record<string, string | undefined>;

/** An element with attributes and children; text is always text. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Array<Node | string>
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

let last = 0;
/** An id no other element on the page has. */
export const freshId = (name: string): string => `sbx-${name}-${++last}`;
