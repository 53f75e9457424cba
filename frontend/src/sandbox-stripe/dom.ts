type Attributes = Record<string, string | undefined>;

/** An element with attributes and children; strings are never parsed as HTML. */
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
/** An id that is unique on the page. */
export const freshId = (name: string): string => `sbx-${name}-${++last}`;
