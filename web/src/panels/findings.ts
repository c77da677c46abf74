// What is wrong with a file, each finding leading to its place.

import { counted, el } from "../dom";
import type { Finding, Report } from "../library/types";

export class FindingsPanel {
  readonly root = el("div", { className: "findings" });

  constructor(private readonly lead: (finding: Finding) => void) {}

  use(report: Report | null, lost: Report | null): void {
    if (!report) return this.root.replaceChildren();
    const { errors, warnings, notes } = report;
    const all = [counted(errors, "error"), counted(warnings, "warning"), counted(notes, "note")].join(", ");
    const list = report.diagnostics.map((finding) => this.#row(finding));
    const unseen = (lost?.diagnostics ?? []).map((finding) => this.#row(finding));
    this.root.replaceChildren(
      el("p", { className: "sum", textContent: report.diagnostics.length ? all : "Nothing is wrong with this file." }),
      el("ul", {}, ...list),
    );
    if (unseen.length) {
      this.root.append(el("h3", { textContent: "What the picture does not show" }), el("ul", {}, ...unseen));
    }
  }

  #row(finding: Finding): HTMLElement {
    const { severity = "error", code, message, help, count = 1, path } = finding;
    const made = el(
      "button",
      { type: "button", className: `finding ${severity}`, title: path || code || "" },
      el("span", { className: "badge", textContent: severity }),
      el("span", { className: "message", textContent: message + (count > 1 ? ` (${count} times)` : "") }),
      el("span", { className: "help", textContent: help }),
      el("code", { textContent: [code, path].filter(Boolean).join(" · ") }),
    );
    made.onclick = () => this.lead(finding);
    return el("li", {}, made);
  }
}
