// Elements of the page.

type Child = Node | string | null;

/** An element with its properties and children. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<Omit<HTMLElementTagNameMap[Tag], "style">> & { [attribute: `${"aria" | "data"}-${string}`]: string } = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-")) made.setAttribute(name, String(value));
    else (made as unknown as Record<string, unknown>)[name] = value;
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A button that does something. */
export function button(label: string, act: () => void, title = ""): HTMLButtonElement {
  return el("button", { type: "button", textContent: label, title, onclick: act });
}

/** A switch with its label. */
export function toggle(label: string, isOn: boolean, change: (isOn: boolean) => void): HTMLLabelElement {
  const box = el("input", { type: "checkbox", checked: isOn });
  box.onchange = () => change(box.checked);
  return el("label", { className: "toggle" }, box, label);
}

/** A choice of several, by their places. */
export function choice(
  label: string,
  options: string[],
  chosen: number,
  change: (index: number) => void,
): HTMLLabelElement {
  const list = el("select", {}, ...options.map((option) => el("option", { textContent: option })));
  list.selectedIndex = chosen;
  list.onchange = () => change(list.selectedIndex);
  return el("label", { className: "choice" }, label, list);
}

/** Offers bytes as a file. */
export function offer(name: string, content: Blob): void {
  const link = el("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A count with its noun. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Bytes as people read them. */
export function shownSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}
