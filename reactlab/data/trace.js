/* Shows one step at a time. Runs once per display and touches nothing outside it. */
(() => {
  const here = document.currentScript && document.currentScript.closest(".rl-trace");
  const roots = here ? [here] : document.querySelectorAll(".rl-trace");
  const make = (name, properties) => Object.assign(document.createElement(name), properties);
  const begin = (root) => {
    const list = root.querySelector(".rl-parts");
    const parts = [...list.children];
    if (root.querySelector(".rl-nav") || parts.length < 2) return;
    let at = 0;
    let whole = false;
    const button = (word, name, press) => {
      const made = make("button", { type: "button", textContent: word, className: name });
      made.addEventListener("click", press);
      return made;
    };
    const back = button("← " + root.dataset.back, "rl-back", () => go(at - 1));
    const next = button(root.dataset.next + " →", "rl-next", () => go(at + 1));
    const all = button(root.dataset.all, "rl-all", () => { whole = !whole; show(); });
    const place = make("p", { className: "rl-place" });
    place.setAttribute("role", "status");
    place.setAttribute("aria-live", "polite");
    const go = (to) => {
      at = Math.max(0, Math.min(parts.length - 1, to));
      whole = false;
      show();
    };
    const show = () => {
      parts.forEach((part, number) => { part.hidden = !whole && number !== at; });
      (whole ? parts : [parts[at]]).forEach((part) => { part.firstElementChild.open = true; });
      const name = parts[at].querySelector("summary b").textContent;
      place.textContent = (whole ? "1–" + parts.length : name) + " / " + parts.length;
      back.setAttribute("aria-disabled", String(!whole && at === 0));
      next.setAttribute("aria-disabled", String(!whole && at === parts.length - 1));
      all.setAttribute("aria-pressed", String(whole));
    };
    root.addEventListener("keydown", (event) => {
      const to = {
        ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: parts.length - 1,
      }[event.key];
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      go(to);
    });
    const bar = make("div", { className: "rl-nav" });
    bar.append(back, place, next, all);
    list.before(bar);
    show();
  };
  roots.forEach(begin);
})();
