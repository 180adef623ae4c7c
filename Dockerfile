# The server as a small image: not root, only its state is writable.
#   docker compose up                           builds it from this folder and starts it (compose.yaml)
#   docker build --tag brskills-server:1.2.0 .  builds it alone
# SOURCE=package builds it offline in an unpacked on-premise package. PACKAGE=brskills-server-with-copy adds
# /opt/brskills/bin/brskills-copy, which builds the register snapshot.
# BASE needs only CPython 3.11, 3.12 or 3.13 on glibc, as `python3`: no shell, no pip. If it lacks a shell (for
# SOURCE=checkout) or the module venv, set BUILDER to an image that has them and the same Python at the same path.
# Building needs BuildKit, the default builder of Docker 23 and later.
ARG BASE=python:3.13-slim-bookworm
ARG BUILDER=${BASE}
ARG SOURCE=checkout

# The on-premise package as it was downloaded: wheels, their list and the installer.
FROM ${BUILDER} AS package
WORKDIR /package
COPY install.py requirements.txt ./
COPY wheels wheels/

# The same, built from a checkout with packages from pip's index. The secret `pip` is a pip.conf, where one is needed.
FROM ${BUILDER} AS checkout
ARG PACKAGE=brskills-server
ENV PYTHONPATH=layers/shared PYTHONDONTWRITEBYTECODE=1 SOURCE_DATE_EPOCH=315532800
WORKDIR /source
COPY requirements requirements/
COPY layers/shared/requirements.txt layers/shared/
COPY layers/billing/requirements.txt layers/billing/
COPY layers/oauth/requirements.txt layers/oauth/
RUN --mount=type=secret,id=pip,target=/etc/pip.conf \
    for list in run package; do \
      python3 -m venv /tools/$list && /tools/$list/bin/python requirements/install.py requirements/$list.txt || exit; \
    done
COPY . .
RUN mkdir -p functions/site/static/viewer \
 && cp /tools/run/lib/python3*/site-packages/flask_swagger_ui/dist/swagger-ui.css \
       /tools/run/lib/python3*/site-packages/flask_swagger_ui/dist/swagger-ui-bundle.js functions/site/static/viewer/ \
 && /tools/run/bin/python -m guides functions/site/guides \
 && /tools/run/bin/python -m cards functions/mcp/cards \
 && /tools/run/bin/python -m package.client functions/site/clients --wheels
RUN --mount=type=secret,id=pip,target=/etc/pip.conf \
    /tools/package/bin/python -m package /built --only "$PACKAGE" && mv /built/"$PACKAGE"-*/ /package

FROM ${SOURCE} AS installed
WORKDIR /package
RUN ["python3", "install.py", "/opt/brskills"]
RUN ["python3", "-c", "import os; os.makedirs('/state/receita')"]

FROM ${BASE}
COPY --from=installed /opt/brskills /opt/brskills
COPY --from=installed --chown=65532:65532 /state /var/lib/brskills
ENV HOST=0.0.0.0 PORT=8000 TMPDIR=/dev/shm PYTHONDONTWRITEBYTECODE=1 \
    STORE=sqlite:////var/lib/brskills/brskills.db REGISTRY_COPY=/var/lib/brskills/receita
USER 65532:65532
VOLUME /var/lib/brskills
EXPOSE 8000
# Liveness, not readiness: a store out of reach needs no restart of the server. BASE may lack curl, and urlopen
# raises for a status other than 2xx.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/opt/brskills/bin/python", "-c", \
    "import os, urllib.request as web; web.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/livez', timeout=4)"]
ENTRYPOINT ["/opt/brskills/bin/brskills-server"]
