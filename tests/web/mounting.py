"""Parts of the page that are looked at by themselves."""

_MOUNT = """async ([module, name, given]) => {
  const drawn = await import(module);
  const main = document.querySelector("main");
  main.className = "";
  main.replaceChildren(drawn[name](given));
}"""


def mount(table, module, name, given):
    """Have a module of the page draw something, and show nothing else."""
    table.page.evaluate(_MOUNT, [f"{table.assets}{module}", name, given])
