/** What a thread typically has after a few turns: a table, a function, a few values. */
export const SMALL_STATE = `
import numpy as np
import pandas as pd
df = pd.DataFrame({"n": np.arange(10_000), "x": np.linspace(0, 1, 10_000), "s": ["row"] * 10_000})
def double(value):
    return value * 2
name, count, share = "atoll", 3, 0.5
`;
export const STATE_QUESTION = "len(df), double(count), name";
export const STATE_ANSWER = "(10000, 6, 'atoll')";
