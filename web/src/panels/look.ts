// How a model is shown: team, weapon, state, layers, or whatever else its format declares.

import { button, el } from "../dom";
import type { Argument } from "../library/types";
import { fieldOf, labelled } from "./field";

/** A form of what a format declares. What is left empty is as it usually is. */
export function lookForm(
  declared: Argument[],
  said: Record<string, string>,
  show: (settings: Record<string, string>) => void,
): HTMLElement | null {
  if (declared.length === 0) return null;
  const fields = declared.map((argument) => {
    const field = fieldOf(argument, {});
    field.required = false;
    if (field instanceof HTMLSelectElement) field.prepend(el("option", { textContent: "" }));
    field.value = said[argument.name] ?? "";
    return { argument, field };
  });
  const form = el(
    "form",
    { className: "operation" },
    ...fields.map(({ argument, field }) => labelled(argument, field)),
    button("Show it so", () => form.requestSubmit()),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    const chosen = fields.filter(({ field }) => field.value !== "");
    show(Object.fromEntries(chosen.map(({ argument, field }) => [argument.name, field.value])));
  };
  const isSaid = Object.keys(said).length > 0;
  return el("details", { className: "look", open: isSaid }, el("summary", { textContent: "Shown as" }), form);
}
