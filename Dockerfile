# The image of a service: docker build --build-arg SERVICE=ticketing --tag beltway/ticketing .
# Needs BuildKit, Docker's default. What it runs is scripts/deploy/entrypoint.sh: `start`, or `migrate` for its database.
ARG NODE_IMAGE=node:24-bookworm-slim

# Of all workspaces what npm reads: the installs below are done again only when one of these files changes.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /source
COPY . .
RUN mkdir /manifests \
 && find . -name package.json -not -path '*/node_modules/*' -exec cp --parents '{}' /manifests ';' \
 && cp package-lock.json .npmrc /manifests

# The page, which is part of the gateway's image. Other services run as they are.
FROM ${NODE_IMAGE} AS build
WORKDIR /build
ARG SERVICE
COPY --from=manifests /manifests ./
RUN --mount=type=cache,target=/root/.npm \
    if [ "$SERVICE" = gateway ]; then npm ci --ignore-scripts --omit=dev --workspace @beltway/frontend; fi
COPY . .
RUN folder=$(node scripts/deploy/parts.mjs "$SERVICE" | head -n 1) \
 && test -f "$folder/src/main.ts" || { echo "There is no service '$SERVICE': --build-arg SERVICE=ticketing"; exit 1; }
RUN mkdir -p frontend/dist \
 && if [ "$SERVICE" = gateway ]; then cd frontend && NODE_ENV=production node ../node_modules/vite/bin/vite.js build --logLevel warn; fi

# What the service needs to run, and nothing that only tests and tools need.
FROM ${NODE_IMAGE} AS production
WORKDIR /app
COPY --from=manifests /manifests ./
ARG SERVICE
# PostgreSQL is the one database: Prisma's compilers of queries for others are 60 MB.
# Of OpenTelemetry's names those that are not fixed yet are not read.
# Types, source maps and what packages bring along by mistake (zod's sources, a package manager) are for developers.
RUN --mount=type=cache,target=/root/.npm \
    npm ci --ignore-scripts --omit=dev --workspace "@beltway/$SERVICE" \
 && find . -path '*/@prisma/client/runtime/query_compiler_*' -not -name 'query_compiler_small_bg.postgresql.*mjs' -delete \
 && find . -path '*/@opentelemetry/semantic-conventions/*' \( -name 'experimental*' -o -name '*incubating*' \) -delete \
 && rm -rf node_modules/zod/src node_modules/*/.yarn node_modules/bintrees/test \
 && find . -path '*/node_modules/*' -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
# npm links what is there for tests, too; that goes.
RUN --mount=type=bind,from=build,source=/build,target=/build \
    mkdir /sources \
 && parts=$(node /build/scripts/deploy/parts.mjs "$SERVICE") \
 && tar --create --directory /build --exclude node_modules --exclude test --exclude testing --exclude 'testing.ts' \
      --exclude '*.test.ts' --exclude '*.http' \
      $parts frontend/dist package.json scripts/launcher/node-flags.txt scripts/launcher/migrations.ts scripts/deploy \
      scripts/audit.ts scripts/audit scripts/dead-letters.ts scripts/jobs.ts scripts/rebuild.ts scripts/launcher/script.ts scripts/launcher/start-error.ts \
      | tar --extract --directory /sources \
 && for part in $parts; do if [ -d "$part/node_modules" ]; then mv "$part/node_modules" "/sources/$part/"; fi; done \
 && for link in node_modules/@beltway/*; do if [ ! -d "/sources/$(realpath --relative-to . "$link")" ]; then rm "$link"; fi; done

FROM ${NODE_IMAGE} AS service
ARG SERVICE
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="beltway/${SERVICE}" \
      org.opencontainers.image.description="Beltway, the service ${SERVICE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="UNLICENSED" \
      org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim"
ENV NODE_ENV=production BELTWAY_SERVICE=${SERVICE} HOST=0.0.0.0 BUILD_VERSION=${VERSION} BUILD_COMMIT=${REVISION}
# Live streams come in by nginx with its RTMP module; ffmpeg is for cameras, recordings and previews of videos. What its packages bring
# for drawing on a graphics card, 160 MB, goes again.
RUN if [ "$SERVICE" = media ]; then \
      apt-get update \
   && apt-get install --yes --no-install-recommends nginx-light libnginx-mod-rtmp ffmpeg \
   && rm -rf /var/lib/apt/lists/* /var/log/nginx/* /usr/lib/*/libLLVM-* /usr/lib/*/libz3.so* /usr/lib/*/dri; \
    fi
# For files that last (pictures): mount a volume here, and set DATA_DIR=/data. Everything else may be read-only.
RUN mkdir /data && chown node:node /data
WORKDIR /app
COPY --from=production /app/node_modules ./node_modules
COPY --from=production /sources ./
USER node
ENTRYPOINT ["/app/scripts/deploy/entrypoint.sh"]
CMD ["start"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=5m --retries=3 CMD ["node", "scripts/deploy/healthcheck.mjs"]

# For one's own machine: the card sandbox, and what fills it with demo data. --target sandbox --build-arg SERVICE=card-sandbox
FROM service AS sandbox
COPY scripts/seed.ts ./scripts/
COPY scripts/demo ./scripts/demo

# What is built without a --target.
FROM service
