# The server, with what its sandboxes are made of. `docker build -t atoll/server .`; compose.yaml runs two of them.
ARG BASE=node:24-bookworm-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY . .
# npm packages and the Python environment. Neither is fetched again when the server starts.
ENV XDG_CACHE_HOME=/opt/cache ATOLL_NO_APT=1
RUN node scripts/setup.mjs && npm cache clean --force && chmod -R a+rX /opt/cache /app
# Not root: then the sandboxes' namespaces need no capability of the container.
RUN useradd --uid 10001 --create-home atoll && install -d -o atoll -g atoll -m 700 /var/lib/atoll
USER atoll
ENV HOST=0.0.0.0 PORT=8000 ATOLL_DATA_DIR=/var/lib/atoll
VOLUME /var/lib/atoll
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/server/src/main.ts"]
