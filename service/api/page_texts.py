"""What previews of links say in each language, beside the names of the variants."""

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "title": "Semilla: patience from a seed",
        "home": (
            "Play Cruel, its relatives and Calculation: a seed deals everybody the same cards."
        ),
        "seed": "seed",
        "deal": "The same cards for everybody who plays this seed. Can you play them all up?",
        "in_progress": "A game in progress: {up} of 52 cards are up.",
        "won": "Won: all {up} cards are up.",
        "lost": "Lost, with {up} of 52 cards up.",
        "resigned": "Given up with {up} of 52 cards up.",
        "timed_out": "Ended by the clock with {up} of 52 cards up.",
        "noscript": "This page needs JavaScript. The API works without: see /docs.",
    },
    "es": {
        "title": "Semilla: solitarios de una semilla",
        "home": (
            "Juega a Cruel, sus parientes y Calculation: una semilla da a todos las mismas cartas."
        ),
        "seed": "semilla",
        "deal": "Las mismas cartas para quien juegue esta semilla. ¿Puedes subirlas todas?",
        "in_progress": "Una partida en curso: {up} de 52 cartas arriba.",
        "won": "Ganada: las {up} cartas están arriba.",
        "lost": "Perdida, con {up} de 52 cartas arriba.",
        "resigned": "Abandonada con {up} de 52 cartas arriba.",
        "timed_out": "Terminada por el reloj con {up} de 52 cartas arriba.",
        "noscript": "Esta página necesita JavaScript. La API funciona sin él: véase /docs.",
    },
}
