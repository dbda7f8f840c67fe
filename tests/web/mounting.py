"""Parts of the page that are looked at by themselves."""

_MOUNT = """async ([root, parts]) => {
  const drawn = [];
  for (const [module, name, given] of parts) drawn.push((await import(root + module))[name](given));
  const main = document.querySelector("main");
  main.className = "";
  main.replaceChildren(...drawn);
}"""


def mount(table, *parts):
    """Have modules of the page draw something, each ``(module, name, given)``, and show no more."""
    table.page.evaluate(_MOUNT, [table.assets, parts])
