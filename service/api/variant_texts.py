"""What the variants' reply says in each language, beside the rules in ``texts/``."""

from service.api.requests import OPTIONS as _ENGLISH_OPTIONS

LANGUAGES = ("en", "es")

OPTIONS: dict[str, dict[str, str]] = {
    "en": _ENGLISH_OPTIONS,
    "es": {
        "deal": "Cómo se reparten las 48 cartas: pila por pila, o de una en una.",
        "build": (
            "Sobre qué carta superior se puede poner otra: del mismo palo hacia abajo, "
            "o de color alterno hacia arriba."
        ),
        "redeal": "Cómo una redistribución recoge las pilas y las vuelve a tender, sin barajar.",
        "redeal_when": "Cuándo se permite una redistribución.",
        "redeal_limit": "Cuántas redistribuciones permite una partida; null, sin límite.",
        "bases": (
            "El A, el 2, el 3 y el 4 bajo las fundaciones 1 a 4; con semillas pysol-, "
            "los de PySolFC."
        ),
    },
}

# How the moves of each family are written.
NOTATION: dict[str, dict[str, list[str]]] = {
    "en": {
        "cruel": [
            "7>3: top of pile 7 onto pile 3",
            "7>F: top of pile 7 to its foundation",
            "R: redeal",
            "U: undo",
            "Q: resign",
        ],
        "calculation": [
            "S>F2: turned card to foundation 2",
            "S>W3: turned card onto waste 3",
            "W3>F2: top of waste 3 to foundation 2",
            "Q: resign",
        ],
    },
    "es": {
        "cruel": [
            "7>3: carta superior de la pila 7 sobre la pila 3",
            "7>F: carta superior de la pila 7 a su fundación",
            "R: redistribuir",
            "U: deshacer",
            "Q: abandonar",
        ],
        "calculation": [
            "S>F2: carta descubierta a la fundación 2",
            "S>W3: carta descubierta al descarte 3",
            "W3>F2: carta superior del descarte 3 a la fundación 2",
            "Q: abandonar",
        ],
    },
}
