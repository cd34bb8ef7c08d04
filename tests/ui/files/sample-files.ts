/** Python code that creates files of every kind that the panel shows. */
export const makeFiles = `
import base64, json, os
import numpy as np, pandas as pd
import matplotlib.pyplot as plt
os.makedirs("/workspace/reports/2025/第一季度", exist_ok=True)
def put(name, text):
    with open(f"/workspace/{name}", "w") as file: file.write(text)
put("reports/2025/第一季度/摘要 报告.md", "# 摘要\\n\\n你好，**世界**。\\n")
put("name with spaces.txt", "with spaces\\n")
put("line\\nbreak.txt", "a line break in its name\\n")
put("<img src=x onerror=alert(1)>.txt", "markup in its name\\n")
put("..hidden", "two dots\\n")
put("quote\\"'&?#%41.txt", "signs of addresses\\n")
put("gpj.\\u202Etxt", "turned around\\n")
put("空 文件.txt", "")
os.symlink("/workspace/name with spaces.txt", "/workspace/link to text.txt")
os.symlink("/workspace/reports", "/workspace/link to folder")
os.symlink("/nowhere", "/workspace/broken link.txt")
cities = pd.DataFrame({"city": ["Oslo", "北京", "Paris"] * 400, "n": range(1200), "share": np.linspace(0, 1, 1200)})
cities.to_csv("/workspace/cities.csv", index=False)
cities.to_parquet("/workspace/cities.parquet")
with pd.ExcelWriter("/workspace/book.xlsx") as book:
    cities.head(5).to_excel(book, sheet_name="Cities", index=False)
    pd.DataFrame({"水果": ["苹果", "梨"], "价格": [3.5, 4]}).to_excel(book, sheet_name="第二", index=False)
put("config.json", json.dumps({"name": "Atoll", "list": [1, 2, 3], "deep": {"a": {"b": {"c": None, "d": "文"}}}}))
put("broken.json", '{"name": ')
figure, axes = plt.subplots(figsize=(4, 3))
axes.plot([1, 3, 2])
for ending in ["png", "jpg", "svg", "pdf"]: figure.savefig(f"/workspace/plot.{ending}")
plt.close(figure)
put("danger.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><script>top.hacked = "svg"</script><rect width="40" height="30" fill="teal"/></svg>')
put("fake.png", "no picture")
put("fake.pdf", "<script>top.hacked = 'pdf'</script>")
png = base64.b64encode(open("/workspace/plot.png", "rb").read()).decode()
html = "<table><tr><td>a cell of html</td></tr></table><script>top.hacked = 'notebook'</script>"
cells = [
    {"cell_type": "markdown", "source": ["# A title\\n", "and words"]},
    {"cell_type": "code", "source": "df.head()", "outputs": [
        {"output_type": "execute_result", "data": {"text/html": html, "text/plain": "plain"}},
        {"output_type": "stream", "name": "stdout", "text": ["printed ", "words\\n"]},
        {"output_type": "display_data", "data": {"image/png": png}},
        {"output_type": "error", "ename": "ValueError", "evalue": "a bad value", "traceback": []},
    ]},
]
put("analysis.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
put("script.py", "def add_one(x):\\n    return x + 1\\n")
put("page.html", "<h1>A page</h1><script>top.hacked = 'html'</script>")
put("README", "words without an ending\\n")
put("large.log", "a line of a log that goes on\\n" * 100_000)
open("/workspace/blob.bin", "wb").write(bytes(range(256)) * 10)
open("/workspace/latin.txt", "wb").write("café".encode("latin-1"))
`;

/** Many files, created without Python so that no run lists them as artifacts. */
export const MANY_FILES = 2000;
