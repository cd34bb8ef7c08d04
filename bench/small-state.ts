/** What a thread typically has after a few turns: a table, a function, a few values. */
export const smallState = `
import numpy as np
import pandas as pd
df = pd.DataFrame({"n": np.arange(10_000), "x": np.linspace(0, 1, 10_000), "s": ["row"] * 10_000})
def double(value):
    return value * 2
name, count, share = "atoll", 3, 0.5
`;
export const stateQuestion = "len(df), double(count), name";
export const stateAnswer = "(10000, 6, 'atoll')";
