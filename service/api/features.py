"""What the API is made of: the modules with its operations, and those with its schemas."""

from service.api import (
    challenge_records,
    challenge_schemas,
    challenge_statistics,
    challenges,
    dailies,
    daily_schemas,
    deals,
    entries,
    entry_schemas,
    evaluate,
    event_schemas,
    events,
    game_lists,
    games,
    history_schemas,
    leaderboard_schemas,
    leaderboards,
    operations,
    par_fields,
    par_schemas,
    pars,
    pictures,
    player_history,
    player_schemas,
    players,
    record_schemas,
    replies,
    requests,
    solver,
    solver_schemas,
    statistics_schemas,
    variants,
)

# Each has a ``blueprint``.
FEATURES = (
    *(variants, deals, evaluate, games, game_lists, pictures, solver),
    *(players, player_history),
    *(
        challenges,
        events,
        challenge_records,
        challenge_statistics,
        entries,
        leaderboards,
        dailies,
        pars,
        operations,
    ),
)

# In the order in which the contract has them.
SCHEMAS = (
    *(requests, replies, player_schemas, challenge_schemas, entry_schemas),
    *(
        leaderboard_schemas,
        daily_schemas,
        event_schemas,
        record_schemas,
        statistics_schemas,
        history_schemas,
        solver_schemas,
        par_fields,
        par_schemas,
    ),
)
